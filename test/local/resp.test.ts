import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connectRedis } from '../../local/redis/connection.ts'
import { createReplyParser, encodeCommand } from '../../local/redis/resp.ts'

describe('RESP client', () => {
  const WIRE = '+OK\r\n-ERR no\r\n:-7\r\n$6\r\né\r\n\x00z\r\n$-1\r\n*3\r\n$0\r\n\r\n*1\r\n:1\r\n*-1\r\n'
  const REPLIES = [{ status: 'OK' }, { error: 'ERR no' }, -7, 'é\r\n\x00z', null, ['', [1], null]]

  it('parses replies however they are cut', () => {
    const bytes = Buffer.from(WIRE)
    for (let size = 1; size <= bytes.length; size += 1) {
      const parse = createReplyParser()
      const replies = []
      for (let i = 0; i < bytes.length; i += size) replies.push(...parse(bytes.subarray(i, i + size)))
      expect(replies).toEqual(REPLIES)
    }
  })

  it('encodes strings by their length in bytes', () => {
    expect(encodeCommand(['SET', 'é', 12])).toBe('*3\r\n$3\r\nSET\r\n$2\r\né\r\n$2\r\n12\r\n')
  })

  it('writes the commands of one tick at once, rejects them when the connection is lost, and connects again', async () => {
    const received: string[] = []
    const fake = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.on('data', (chunk) => {
        const text = chunk.toString('latin1')
        received.push(text)
        if (text.includes('DIE')) socket.destroy()
        else socket.write('+OK\r\n'.repeat(text.split('*').length - 1))
      })
    })
    await new Promise<void>((resolve) => fake.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void fake.close())
    const store = connectRedis(`redis://:secret@127.0.0.1:${(fake.address() as AddressInfo).port}/2`)
    await store.send(['FIRST'])
    const opening = [['AUTH', 'secret'], ['SELECT', '2'], ['FIRST']]
    expect(received).toEqual([opening.map(encodeCommand).join('')])
    await Promise.all(Array.from({ length: 100 }, () => store.send(['BATCHED'])))
    expect(received).toHaveLength(2)
    const lost = await Promise.allSettled([store.send(['DIE']), store.send(['AFTER'])])
    expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await store.send(['AGAIN'])).toEqual({ status: 'OK' })
    expect(received.at(-1)).toContain('AGAIN')
    await store.close()
    await expect(store.send(['LATE'])).rejects.toThrow('closed')
  })
})
