/** Largest picture that the service takes, in bytes. */
const MAX_BYTES = 12 * 1024 * 1024

/** Address of a picture at the service, or why there is none. */
export type Answer = { url?: string; error?: string }

let sending = 0

/** Number of pictures that are being sent at this moment. */
export const picturesUnderWay = (): number => sending

const post = (path: string, body: File | URLSearchParams, onProgress: (share: number) => void): Promise<Answer> =>
  new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
    request.responseType = 'json'
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total))
    request.addEventListener('load', () => {
      const answer = request.response as Answer | null
      resolve(answer ?? { error: request.status === 413 ? 'The picture is too large.' : 'The picture was not taken.' })
    })
    request.addEventListener('error', () => resolve({ error: 'The picture was not sent: there is no connection.' }))
    request.send(body)
  })

/** Returns the address of a picture at the service, or why it was not taken. */
export const hostPicture = async (
  path: string,
  source: { file: File } | { url: string },
  onProgress: (share: number) => void,
): Promise<Answer> => {
  if ('url' in source) return await post(path, new URLSearchParams({ url: source.url }), onProgress)
  const { size, type, name } = source.file
  if (size > MAX_BYTES)
    return { error: `${name} has ${(size / 1024 / 1024).toFixed(1)} MB. A picture may have at most 12 MB.` }
  if (!type.startsWith('image/')) return { error: `${name} is not a picture.` }
  sending += 1
  const answer = await post(path, source.file, onProgress)
  sending -= 1
  return answer
}
