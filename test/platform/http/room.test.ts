import { expect, it } from 'vitest'
import { createRoom } from '../../../src/platform/http/room.ts'

const never = () => new Promise<void>(() => {})
const settled = async (work: Promise<unknown>): Promise<boolean> => {
  let isSettled = false
  void work.then(() => (isSettled = true))
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
  return isSettled
}

it('admits bodies that fit, and the next in line when there is room again', async () => {
  const room = createRoom(never, 10)
  const first = await room.take(6)
  const second = room.take(6)
  const third = room.take(2)
  expect([await settled(second), await settled(third)]).toEqual([false, false])
  first()
  expect([await settled(second), await settled(third)]).toEqual([true, true])
})

it('releases once, however often it is called', async () => {
  const room = createRoom(never, 10)
  const back = await room.take(10)
  back()
  back()
  const again = await room.take(10)
  expect(await settled(room.take(1))).toBe(false)
  again()
})

it('refuses a body that waits too long, and continues with the next', async () => {
  let end = () => {}
  const waits = [never, () => new Promise<void>((resolve) => (end = resolve)), never]
  const room = createRoom(() => (waits.shift() ?? never)(), 10)
  const first = await room.take(5)
  const late = room.take(9)
  const small = room.take(5)
  end()
  await expect(late).rejects.toMatchObject({ code: 'unavailable' })
  await small
  first()
})
