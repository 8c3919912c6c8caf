import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { networkInterfaces } from 'node:os'

const page = (title: string, body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}
<style>body{font-family:sans-serif;margin:0}main{padding:40px}</style></head><body>${body}</body></html>`

const ARTICLE = `<main><h1>Pedal &amp; Spoke</h1><p>${'We repair commuter bicycles in all weathers. '.repeat(30)}</p></main>`

const bar = (inner: string, attributes = 'id="bar"'): string =>
  `<div ${attributes} style="position:fixed;left:0;right:0;bottom:0;height:260px;background:#203;color:#fff;z-index:999;padding:24px">
<p>We use cookies and similar technologies to personalise content. Please choose.</p>${inner}</div>`

const said = (text: string, inner: string): string => bar(inner).replace(/<p>[^<]*<\/p>/, `<p>${text}</p>`)

const BUTTON = (label: string, action: string): string => `<button onclick="${action}">${label}</button>`

const GONE = "document.getElementById('bar').remove()"

/** Returns a banner below a closed shadow root that a script makes; its second button takes it away. */
const closed = (buttons: string): string =>
  `<div id="host"></div><script>{ const host = document.getElementById('host'); const root = host.attachShadow({mode:'closed'});
    root.innerHTML = ${JSON.stringify(bar(buttons)).replaceAll('</', '<\\/')};
    const refuse = root.querySelectorAll('button')[1]; if (refuse) refuse.onclick = () => host.remove(); }</script>`

/** Returns a frame that is laid over the page. */
const laid = (src: string): string =>
  `<div style="position:fixed;left:0;right:0;bottom:0;z-index:999"><iframe src="${src}" style="width:100%;height:300px;border:0;background:#fff"></iframe></div>`

/** Returns the same site under another name. */
const elsewhere = (origin: string): string => origin.replace('127.0.0.1', 'localhost')

/** Returns this machine's address in its own network, at which the site answers; an unused address if there is none. */
const ownAddress = (origin: string): string => {
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  const inside = own.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '10.9.8.7'
  return `http://${inside}:${new URL(origin).port}`
}

/**
 * Returns a script that tries every way to connect besides HTTP requests. Then it reports that to the site, with the
 * interfaces it found.
 */
const tryAll = (origin: string, where: string, port: string | null): string => `
  const found = Object.getOwnPropertyNames(window).filter((name) => /Socket|Transport|RTC|EventSource/.test(name));
  for (const name of found)
    for (const given of ['ws://127.0.0.1:${port}/', 'https://127.0.0.1:${port}/', { iceServers: [{ urls: 'stun:127.0.0.1:${port}' }] }])
      try {
        const made = new window[name](given);
        made.createDataChannel?.('data');
        made.createOffer?.().then((offer) => made.setLocalDescription(offer));
      } catch {}
  fetch('${origin}/told?tried=${where}&found=' + found.join());`

const framed = (path: string): string => `<iframe src="${path}"></iframe>`

const htmlAttribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

/** Returns a page with frames of each kind, in each of which all ways are tried: of another site, within it, with a document of its own, blank. */
const connecting = (origin: string, query: URLSearchParams): string => {
  const port = query.get('port')
  const tries = (where: string) => `<script>${tryAll(origin, where, port)}</script>`
  const at = query.get('at')
  if (at === 'other-site') return tries(at) + framed(`${origin}/connects?at=within&port=${port}`)
  if (at === 'prerendered') return `${tries(at)}<img src="${ownAddress(origin)}/told?private=prerendered">`
  if (at !== null) return tries(at)
  return `${ARTICLE}${tries('page')}${framed(`${elsewhere(origin)}/connects?at=other-site&port=${port}`)}
    <iframe srcdoc="${htmlAttribute(tries('srcdoc'))}"></iframe><iframe id="blank"></iframe><iframe id="written"></iframe>
    <script>document.getElementById('blank').contentWindow.eval(${JSON.stringify(tryAll(origin, 'blank', port))});
    const { contentDocument } = document.getElementById('written');
    contentDocument.open(); contentDocument.write(${JSON.stringify(tries('written')).replaceAll('</', '<\\/')}); contentDocument.close();
    const made = document.createElement('iframe'); document.body.append(made);
    made.contentWindow.eval(${JSON.stringify(tryAll(origin, 'made', port))})</script>`
}

/** Returns scripts that request workers and windows, which never run. */
const BEYOND = (origin: string): string => `
  try { new SharedWorker('/worker.js?shared') } catch {}
  try { new Worker('/worker.js?own') } catch {}
  navigator.serviceWorker?.register('/worker.js?service').catch(() => {});
  const form = document.createElement('form');
  Object.assign(form, { action: '${ownAddress(origin)}/told', target: '_blank' });
  form.innerHTML = '<input name="private" value="window">';
  document.body.append(form);
  form.submit();
  navigator.sendBeacon('${ownAddress(origin)}/told?private=beacon', 'x');
  try { fetchLater('${ownAddress(origin)}/told?private=later', { activateAfter: 0 }) } catch {}
  const rules = document.createElement('script');
  rules.type = 'speculationrules';
  rules.textContent = JSON.stringify({ prefetch: [{ urls: ['${ownAddress(origin)}/told?private=prefetch'], eagerness: 'immediate' }],
    prerender: [{ urls: ['/connects?at=prerendered'], eagerness: 'immediate' }] });
  document.head.append(rules);`

const rulesFor = (inner: string): string =>
  JSON.stringify({ prefetch: [{ source: 'list', urls: [inner], eagerness: 'immediate' }] })

/** Returns a page that has the browser fetch an inner address ahead, and goes there. */
const speculating = (by: string, inner: string): Reply => {
  const rules = rulesFor(inner)
  const ways: Record<string, string> = {
    none: '',
    html: `<script type="speculationrules">${rules}</script>`,
    reference: `<script type="speculation&#114;ules">${rules}</script>`,
    script: `<script>const s = document.createElement('script'); s.type = 'speculationrules'; s.textContent = ${JSON.stringify(rules)}; document.head.append(s)</script>`,
    attribute: `<script>const s = document.createElement('script'); s.setAttribute('type', 'SpeculationRules'); s.textContent = ${JSON.stringify(rules)}; document.head.append(s)</script>`,
    clone: `<template><script type="speculationrules">${rules}</script></template><script>document.head.append(document.querySelector('template').content.cloneNode(true))</script>`,
    payment: `<script>try { new PaymentRequest([{ supportedMethods: '${inner}' }], { total: { label: 'T', amount: { currency: 'USD', value: '1' } } }).canMakePayment() } catch {}</script>`,
    identity: `<script>try { navigator.credentials.get({ identity: { providers: [{ configURL: '${inner}config.json', clientId: '1' }] } }).catch(() => {}) } catch {}</script>`,
    link: `<link rel="prefetch" href="${inner}"><link rel="prerender" href="${inner}">`,
  }
  return {
    ...(by === 'header'
      ? { headers: { 'speculation-rules': `"/rules.json?inner=${encodeURIComponent(inner)}"` } }
      : {}),
    body: page(
      'Pedal & Spoke',
      `${ARTICLE}${ways[by] ?? ''}<script>setTimeout(() => { location.href = '${inner}' }, 700)</script>`,
    ),
  }
}

type Reply = { status?: number; headers?: Record<string, string>; body?: string; silent?: true }

/** The pages by path. `calls` counts requests by path. */
const PAGES: Record<string, (origin: string, query: URLSearchParams) => Reply> = {
  '/clean': () => ({ body: page('Pedal & Spoke', ARTICLE) }),
  '/refusable': () => ({
    body: page('Pedal & Spoke', ARTICLE + bar(BUTTON('Accept all', '') + BUTTON('Reject all', GONE))),
  }),
  '/german': () => ({
    body: page('Pedal & Spoke', ARTICLE + bar(BUTTON('Alle akzeptieren', '') + BUTTON('Nur notwendige Cookies', GONE))),
  }),
  '/known-tool': () => ({
    body: page('Pedal & Spoke', `${ARTICLE}<div id="onetrust-consent-sdk">${bar(BUTTON('Accept all', ''))}</div>`),
  }),
  '/late-banner': () => ({
    body: page(
      'Pedal & Spoke',
      `${ARTICLE}<div id="slot"></div><script>setTimeout(() => { document.getElementById('slot').innerHTML =
        ${JSON.stringify(bar(BUTTON('Accept', '') + BUTTON('Decline', GONE)))} }, 900)</script>`,
    ),
  }),
  '/shadow-banner': () => ({
    body: page(
      'Pedal & Spoke',
      `${ARTICLE}<div id="host"></div><script>document.getElementById('host').attachShadow({mode:'open'}).innerHTML =
        ${JSON.stringify(bar('<button>Accept</button>').replaceAll('</', '<\\/'))}</script>`,
    ),
  }),
  // Roots that a script makes with attachShadow, and roots that the HTML declares.
  '/closed-refusable': () => ({
    body: page('Pedal & Spoke', ARTICLE + closed(`${BUTTON('Accept', '')}<button>Decline</button>`)),
  }),
  '/closed-banner': () => ({ body: page('Pedal & Spoke', ARTICLE + closed(BUTTON('Accept', ''))) }),
  '/declared-banner': () => ({
    body: page(
      'Pedal & Spoke',
      `${ARTICLE}<div><template shadowrootmode="closed">${bar(BUTTON('Accept', ''))}</template></div>`,
    ),
  }),
  '/frame-refusable': (origin) => ({
    body: page(
      'Pedal & Spoke',
      `${ARTICLE}${laid(`${elsewhere(origin)}/consent?refuse=1`)}<script>onmessage = () => document.querySelector('iframe').remove()</script>`,
    ),
  }),
  '/frame-banner': (origin) => ({ body: page('Pedal & Spoke', ARTICLE + laid(`${elsewhere(origin)}/consent`)) }),
  '/own-frame-banner': () => ({ body: page('Pedal & Spoke', ARTICLE + laid('/consent?closed=1')) }),
  '/frame-in-text': (origin) => ({
    body: page(
      'Pedal & Spoke',
      `${ARTICLE}<iframe src="${elsewhere(origin)}/consent" style="width:600px;height:300px"></iframe>`,
    ),
  }),
  '/consent': (_, query) => ({
    body: query.has('closed')
      ? page('', closed(BUTTON('Accept', '')))
      : page(
          '',
          `<p>We use cookies to personalise content.</p>${BUTTON('Accept', '')}${query.has('refuse') ? BUTTON('Reject all', "parent.postMessage('no', '*')") : ''}`,
        ),
  }),
  '/strict': () => ({
    headers: { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'" },
    body: page('Pedal & Spoke', ARTICLE),
  }),
  '/wall-of-cookies': () => ({ body: page('Pedal & Spoke', ARTICLE + bar(BUTTON('Accept all cookies', ''))) }),
  // otsmr/cookie-banner-blocker#2
  '/oat-cookies': () => ({
    body: page(
      'Pedal & Spoke',
      ARTICLE + said('New in our café: oat cookies, baked every day.', BUTTON('Order now', '')),
    ),
  }),
  '/privacy-menu': () => ({
    body: page(
      'Pedal & Spoke',
      `<header style="position:fixed;top:0;left:0;right:0;height:120px;background:#fff"><nav><a href="/">Home</a> <a href="/p">Privacy and cookies</a></nav></header>${ARTICLE}`,
    ),
  }),
  // duckduckgo/autoconsent#1404
  '/finnish': () => ({
    body: page(
      'Pedal & Spoke',
      ARTICLE + said('Käytämme evästeitä.', BUTTON('Hyväksy kaikki', '') + BUTTON('Vain välttämättömät', GONE)),
    ),
  }),
  '/hungarian': () => ({
    body: page(
      'Pedal & Spoke',
      ARTICLE + said('Ez az oldal sütiket használ.', BUTTON('Elfogadom', '') + BUTTON('Elutasítom', GONE)),
    ),
  }),
  '/finnish-wall': () => ({
    body: page('Pedal & Spoke', ARTICLE + said('Käytämme evästeitä.', BUTTON('Hyväksy kaikki', ''))),
  }),
  '/about-cookies': () => ({
    body: page(
      'Pedal & Spoke',
      `<header style="position:sticky;top:0">Pedal</header>${ARTICLE}<p>Our cookie policy.</p>`,
    ),
  }),
  '/blank': () => ({ body: page('Pedal & Spoke', '') }),
  '/dark-blank': () => ({
    body: page('Pedal & Spoke', '<div id="root"></div>', '<style>html{background:#111}</style>'),
  }),
  '/late-content': () => ({
    body: page(
      '',
      `<div id="root"></div><script>setTimeout(() => { document.getElementById('root').innerHTML =
      ${JSON.stringify(ARTICLE)} }, 3000)</script>`,
    ),
  }),
  '/missing': () => ({
    status: 404,
    body: page('Not found', '<main><h1>Pedal &amp; Spoke</h1><p>Nothing here.</p></main>'),
  }),
  '/empty-500': () => ({ status: 500, body: '' }),
  '/other-brand': () => ({ body: page('Roof tiles', '<main><h1>Roof tiles of clay</h1><p>All colours.</p></main>') }),
  '/wall': () => ({
    status: 403,
    body: page('Just a moment...', '<main><h1>Checking your browser</h1><p>Verify you are human.</p></main>'),
  }),
  '/challenge': () => ({
    status: 403,
    headers: { 'cf-mitigated': 'challenge' },
    body: page('Pedal & Spoke', ARTICLE),
  }),
  '/silent': () => ({ silent: true }),
  '/to-private': () => ({ status: 302, headers: { location: 'http://10.0.0.1/' } }),
  '/calls-private': (origin) => ({
    body: page(
      'Pedal & Spoke',
      `${ARTICLE}<img src="${ownAddress(origin)}/told?private=image"><iframe src="${ownAddress(origin)}/told?private=frame"></iframe>
      <link rel="stylesheet" href="${ownAddress(origin)}/told?private=style"><img src="http://10.9.8.7/x.png"><iframe src="http://192.168.0.1/"></iframe>
      <script>fetch('http://169.254.169.254/latest/meta-data').catch((e) => fetch('${origin}/told?metadata=' + e.name));
      try { new WebSocket('ws://10.9.8.7/') } catch (e) { fetch('${origin}/told?socket=' + e.name) }
      window.open('http://10.9.8.7/popup')</script>`,
    ),
  }),
  '/connects': (origin, query) => ({ body: page('Pedal & Spoke', connecting(origin, query)) }),
  '/goes-beyond': (origin) => ({
    headers: { 'content-security-policy': `img-src 'none'; report-uri ${ownAddress(origin)}/told?private=report` },
    body: page('Pedal & Spoke', `${ARTICLE}<img src="/x.png"><script>${BEYOND(origin)}</script>`),
  }),
  '/speculates': (_, query) => speculating(String(query.get('by')), String(query.get('inner'))),
  '/rules.json': (_, query) => ({
    headers: { 'content-type': 'application/speculationrules+json' },
    body: rulesFor(String(query.get('inner'))),
  }),
  '/worker.js': (origin) => ({
    headers: { 'content-type': 'text/javascript' },
    body: `fetch('${ownAddress(origin)}/told?private=worker'); fetch('/told?worker=' + location.search.slice(1))`,
  }),
  '/dialogs': () => ({
    body: page('Pedal & Spoke', `${ARTICLE}<script>alert(1); confirm(2); while (false) {}</script>`),
  }),
  '/download': () => ({
    headers: { 'content-type': 'application/zip', 'content-disposition': 'attachment' },
    body: 'PK',
  }),
  '/told': () => ({ status: 204 }),
}

export type TestSite = { url: string; calls: () => readonly string[]; close: () => Promise<void> }

/** Starts a site on this machine with a page for each way a capture can end. */
export const startTestSite = async (): Promise<TestSite> => {
  const calls: string[] = []
  const server = createServer((req, res) => {
    const [path = '', query] = (req.url ?? '').split('?')
    calls.push(req.url ?? '')
    const { status, headers, body, silent } = PAGES[path]?.(
      `http://${req.headers.host}`,
      new URLSearchParams(query),
    ) ?? { status: 404 }
    if (silent) return
    res.writeHead(status ?? 200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: () => calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export type Listener = {
  port: number
  /** Returns the number of connections and datagrams that arrived. */
  came: () => number
  close: () => Promise<void>
}

/** Listens on a port for anything, over TCP and UDP. */
export const listen = async (): Promise<Listener> => {
  let came = 0
  const tcp = createTcpServer((socket) => {
    came += 1
    socket.destroy()
  })
  await once(tcp.listen(0, '127.0.0.1'), 'listening')
  const { port } = tcp.address() as AddressInfo
  const udp = createSocket('udp4', () => {
    came += 1
  })
  udp.bind(port, '127.0.0.1')
  await once(udp, 'listening')
  return {
    port,
    came: () => came,
    close: async () => {
      udp.close()
      await new Promise((resolve) => tcp.close(resolve))
    },
  }
}

/** Starts a private service on a loopback port below 1024: Chromium finds the address secure, and the guard refuses the port. */
export const startInnerService = async (): Promise<TestSite> => {
  const calls: string[] = []
  const server = createServer((req, res) => {
    calls.push(req.url ?? '')
    res.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' })
    res.end(page('Inner service', `<main><h1>Inner service</h1><p>${'Printers of the office. '.repeat(40)}</p></main>`))
  })
  server.listen(631, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: 'http://127.0.0.1:631/',
    calls: () => calls,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
