import type { Answer } from '../receiver/answers.ts'
import { json } from '../receiver/answers.ts'
import { type StandIn, startStandIn } from '../stand-in.ts'
import type { StandInRequest } from '../stand-in-request.ts'

/** Report that was taken. */
type Report = { host: string; key: string; keyLocation?: string; urlList: string[] }

const MOST_URLS = 10_000

const refused = (status: number, errorCode: string, message: string): Answer => json(status, { errorCode, message })

const isReport = (body: unknown): body is Report => {
  const { host, key, keyLocation, urlList } = (body ?? {}) as Record<string, unknown>
  return (
    typeof host === 'string' &&
    typeof key === 'string' &&
    (keyLocation === undefined || typeof keyLocation === 'string') &&
    Array.isArray(urlList) &&
    urlList.length > 0 &&
    urlList.length <= MOST_URLS &&
    urlList.every((url) => typeof url === 'string' && URL.canParse(url))
  )
}

/** True if the file of a key has it and nothing else. Unlike IndexNow, which may look later, it is read at once. */
const hasKeyFile = async (location: string, key: string): Promise<boolean> => {
  const file = await fetch(location, { headers: { 'user-agent': 'bingbot' }, redirect: 'manual' }).catch(
    () => undefined,
  )
  return file?.status === 200 && (await file.text()).trim() === key
}

/**
 * Starts a stand-in of IndexNow (https://www.indexnow.org/documentation). It refuses what IndexNow refuses, and `/_posts` has the
 * reports that it took.
 */
export const startIndexNow = async (): Promise<StandIn> => {
  const reports: Report[] = []
  const answer = async ({ method, path, body }: StandInRequest): Promise<Answer> => {
    if (path !== '/indexnow') return refused(404, 'NotFound', 'Not found')
    if (method !== 'POST') return refused(405, 'MethodNotAllowed', 'The method is not allowed')
    if (!isReport(body)) return refused(400, 'InvalidRequestParameters', 'The request is not valid')
    const { host, key, keyLocation, urlList } = body
    if (!/^[A-Za-z0-9-]{8,128}$/.test(key)) return refused(400, 'InvalidRequestParameters', 'The key is not valid')
    const location = keyLocation ?? `https://${host}/${key}.txt`
    const folder = new URL('.', location)
    if (folder.host !== host || urlList.some((url) => !url.startsWith(folder.href)))
      return refused(422, 'InvalidUrls', 'The addresses are not of the host, or not below the key file')
    if (!(await hasKeyFile(location, key)))
      return refused(403, 'UserForbiddedToAccessSite', 'The key file is not there, or has another key')
    reports.push(body)
    return { status: 200, headers: {}, body: '' }
  }
  return await startStandIn({
    answer,
    posts: () => reports,
    refusal: (status) => refused(status, 'Fault', 'A fault'),
  })
}
