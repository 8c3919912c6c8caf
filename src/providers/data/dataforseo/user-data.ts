import * as z from 'zod/mini'

const UserData = z.looseObject({ money: z.looseObject({ balance: z.number() }) })

/** Returns the balance of an account, US dollars; undefined where the answer does not say. */
export const balanceOf = (result: readonly unknown[]): number | undefined => {
  const read = UserData.safeParse(result[0])
  return read.success ? read.data.money.balance : undefined
}
