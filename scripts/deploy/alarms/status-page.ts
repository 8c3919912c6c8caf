import { callHttp } from '../http.ts'
import { sha256, signedHeaders } from '../s3.ts'
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
    headers: signedHeaders({ method: 'PUT', url, headers, digest: sha256(body) }, access, now),
    body,
  }).catch((error: unknown) => ({ status: 0, text: error instanceof Error ? error.message : '' }))
  if (answer.status >= 200 && answer.status < 300) return undefined
  return `The status page was not written: ${answer.status || ''} ${answer.text.slice(0, 200)}`.trim()
}
