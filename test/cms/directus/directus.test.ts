import { afterAll, beforeAll, describe } from 'vitest'
import { type DirectusSite, describeDirectus } from '../../providers/cms/directus/behaviour.ts'
import { realClock, servePicture } from '../picture.ts'
import { realDirectus } from './site.ts'

let picture: Awaited<ReturnType<typeof servePicture>>
let site: DirectusSite

beforeAll(async () => {
  picture = await servePicture()
  site = { ...(await realDirectus()), image: picture.image, now: realClock }
})
afterAll(() => picture?.close())

describe('a real Directus', () => {
  describeDirectus(() => site)
})
