import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type Data, emptyData } from './zernio-data.ts'

/** What was there when the stand-in last ran; nothing where that cannot be read. */
export const dataIn = (file: string | undefined): Data => {
  if (file === undefined || !existsSync(file)) return emptyData()
  try {
    const { reviews, requests, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as Record<keyof Data, never>
    return { ...emptyData(), ...rest, reviews: new Map(reviews), requests: new Map(requests) }
  } catch {
    return emptyData()
  }
}

/** Writes down what there is. */
export const keepData = (file: string, data: Data): void =>
  writeFileSync(file, JSON.stringify({ ...data, reviews: [...data.reviews], requests: [...data.requests] }))
