import { afterAll, beforeAll, describe } from 'vitest'
import { describeStrapi, type StrapiSite } from '../../providers/cms/strapi/behaviour.ts'
import { realClock, servePicture } from '../picture.ts'

let picture: Awaited<ReturnType<typeof servePicture>>
let site: StrapiSite

beforeAll(async () => {
  picture = await servePicture()
  const { STRAPI_URL: url = '', STRAPI_TOKEN: token = '', STRAPI_ADMIN_TOKEN: adminToken = '' } = process.env
  const edit: StrapiSite['edit'] = async (documentId, data) => {
    await fetch(`${url}/api/posts/${documentId}?status=draft`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ data }),
    })
  }
  site = { url, token, adminToken, image: picture.image, now: realClock, edit }
})
afterAll(() => picture?.close())

describe('a real Strapi', () => {
  describeStrapi(() => site)
})
