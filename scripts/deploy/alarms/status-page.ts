import { createHash, createHmac } from 'node:crypto'
import { callHttp } from '../http.ts'
import type { Settings } from '../settings.ts'

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('`', '')

/**
 * Returns the status page: what people notice of the active alarms, and when that was checked.
 *
 * `problems`: consequences of the alarms. It has no details, because anybody reads it.
 */
export const statusPage = (service: string, problems: readonly string[], now: Date): string => {
  const state = problems.length === 0 ? 'All parts work.' : 'Some parts do not work as they should:'
  const list = problems.map((one) => `<li>${escaped(one)}</li>`).join('')
  const checked = `${now.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="60"><title>Status of ${escaped(service)}</title>
<style>body{font:16px/1.5 system-ui;max-width:40rem;margin:2rem auto;padding:0 1rem}</style>
<h1>Status of ${escaped(service)}</h1><p>${state}</p>${list === '' ? '' : `<ul>${list}</ul>`}
<p>Checked on ${checked}. If that is more than an hour ago, the check itself does not run.</p></html>
`
}

type Access = { region: string; keyId: string; secret: string }
type Signed = { method: string; url: string; headers: Record<string, string>; body: string }

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/**
 * Returns the headers of a request to S3 or a service with the same interface, signed with version 4
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html, 2026-11-25).
 */
export const signedHeaders = (
  { method, url, headers, body }: Signed,
  { region, keyId, secret }: Access,
  now: Date,
): Record<string, string> => {
  const { host, pathname } = new URL(url)
  const at = now.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const all: Record<string, string> = { ...headers, host, 'x-amz-content-sha256': sha256(body), 'x-amz-date': at }
  const names = Object.keys(all).sort()
  const canonical = names.map((name) => `${name}:${all[name]?.trim()}\n`).join('')
  const request = [method, pathname, '', canonical, names.join(';'), sha256(body)].join('\n')
  const day = at.slice(0, 8)
  const scope = `${day}/${region}/s3/aws4_request`
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`)
  const signature = hmac(key, `AWS4-HMAC-SHA256\n${at}\n${scope}\n${sha256(request)}`).toString('hex')
  const { host: _, ...sent } = all
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${keyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  }
}

/** Writes the status page into the bucket of the settings. Returns why it was not written; undefined if it was, or no bucket is set. */
export const writeStatusPage = async (
  settings: Settings,
  problems: readonly string[],
  now: Date,
): Promise<string | undefined> => {
  const bucket = settings.STATUS_BUCKET_URL?.replace(/\/+$/, '')
  if (!bucket) return undefined
  const body = statusPage('Galley', problems, now)
  const url = `${bucket}/index.html`
  const headers = { 'cache-control': 'max-age=60', 'content-type': 'text/html; charset=utf-8' }
  const access = {
    region: settings.STATUS_BUCKET_REGION ?? 'us-east-1',
    keyId: settings.STATUS_BUCKET_KEY_ID ?? '',
    secret: settings.STATUS_BUCKET_SECRET ?? '',
  }
  const answer = await callHttp('The bucket of the status page', url, {
    method: 'PUT',
    headers: signedHeaders({ method: 'PUT', url, headers, body }, access, now),
    body,
  }).catch((error: unknown) => ({ status: 0, text: error instanceof Error ? error.message : '' }))
  if (answer.status >= 200 && answer.status < 300) return undefined
  return `The status page was not written: ${answer.status || ''} ${answer.text.slice(0, 200)}`.trim()
}
