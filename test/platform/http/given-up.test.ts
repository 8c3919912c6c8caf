import { describe, expect, it } from 'vitest'
import { readBody } from '../../../src/platform/http/body.ts'
import { readUploadBody } from '../../../src/platform/http/upload-body.ts'

/** Returns a request whose caller goes away after some bytes. */
const givenUp = (contentType: string, begun: string): Request => {
  let isBegun = false
  const body = new ReadableStream({
    pull: (controller) => {
      if (isBegun) controller.error(new Error('Network connection lost.'))
      else controller.enqueue(new TextEncoder().encode(begun))
      isBegun = true
    },
  })
  return new Request('http://here/', {
    method: 'POST',
    headers: { 'content-type': contentType },
    body,
    duplex: 'half',
  } as RequestInit)
}

const PART = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\n\r\nbytes'

describe('a body that its caller gives up midway is no error of ours', () => {
  it.each([
    ['as JSON', () => readBody(givenUp('application/json', '{"title":'))],
    [
      'in the middle of a file',
      () =>
        readUploadBody(
          givenUp('multipart/form-data; boundary=b', PART),
          'b',
          { field: 'file', maxBytes: 1_000 },
          async (chunks) => {
            for await (const _ of chunks);
            throw new Error('the file did not end')
          },
        ),
    ],
    [
      'before its first part',
      () =>
        readUploadBody(
          givenUp('multipart/form-data; boundary=b', '--'),
          'b',
          { field: 'file', maxBytes: 1_000 },
          async () => {
            throw new Error('there is no file')
          },
        ),
    ],
  ])('%s: 400 that names the body', async (_, read) => {
    await expect(read()).rejects.toMatchObject({ code: 'invalid_input', extras: { details: [{ field: 'body' }] } })
  })
})
