import * as z from 'zod/mini'

const isCents = (dollars: number): boolean => Math.abs(dollars * 100 - Math.round(dollars * 100)) < 1e-6

/** Returns an amount of dollars with at most two decimals, handed on in cents. */
export const dollars = (min: number, max: number) =>
  z.pipe(
    z.number().check(
      z.refine((value) => value >= min && value <= max && isCents(value), {
        error: `must be dollars from ${min} to ${max} with at most two decimals`,
        params: { allowed: { min, max } },
      }),
    ),
    z.transform((value: number) => Math.round(value * 100)),
  )
