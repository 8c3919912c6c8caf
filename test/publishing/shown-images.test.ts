import { expect, it } from 'vitest'
import { shownImages } from '../../src/publishing/live/shown-images.ts'

const wanted = 'https://site.example/wp-content/uploads/8-photo.png'

it.each([
  `<img src="${wanted}">`,
  '<img src="/wp-content/uploads/8-photo.png">',
  '<img src="//site.example/wp-content/uploads/8-photo.png?ver=2">',
  '<img src="x.gif" data-lazy-src="http://site.example/wp-content/uploads/8-photo.png">',
  '<img srcset="/wp-content/uploads/8-photo-300x200.png 300w, /wp-content/uploads/8-photo-600x400.png 600w">',
  '<picture><source srcset="/wp-content/uploads/8-photo.png.webp"></picture>',
  '<noscript><img src="/wp-content/uploads/8-photo-scaled.png"></noscript>',
  '<div style="background: url(&quot;/wp-content/uploads/8-photo.png&quot;)"></div>',
  '<img src="https://i0.wp.com/site.example/wp-content/uploads/8-photo.png?w=600">',
  '<img src="/_next/image?url=https%3A%2F%2Fsite.example%2Fwp-content%2Fuploads%2F8-photo.png&amp;w=640">',
  '<img src="/_next/image?url=%2Fwp-content%2Fuploads%2F8-photo.png&amp;w=640">',
  '<img src="/cdn-cgi/image/width=400/wp-content/uploads/8-photo.png">',
  '<img srcset="/c_fill,w_4/x.png 400w,/wp-content/uploads/8-photo.png 600w">',
  '<img src="/wp-content/uploads/8-photo@2x.png">',
  '<img src="https://images.weserv.example/?url=site.example/wp-content/uploads/8-photo.png&w=300">',
  '<img src="https://img.example/insecure/rs:fit:300/plain/https://site.example/wp-content/uploads/8-photo.png@webp">',
  '<div data-bg="url(/wp-content/uploads/8-photo.png)"></div>',
  '<style>.hero { background: url("/wp-content/uploads/8-photo.png") }</style>',
  String.raw`<div data-slides='[{"image":"https:\/\/site.example\/wp-content\/uploads\/8-photo.png"}]'></div>`,
])('is shown by %s', (html) => expect(shownImages(html, 'https://site.example/post/')(wanted)).toBeDefined())

it('is returned with the address that the page loads it from', () => {
  const html = '<img srcset="/wp-content/uploads/8-photo-300x200.png 300w">'
  const small = 'https://site.example/wp-content/uploads/8-photo-300x200.png'
  expect(shownImages(html, 'https://site.example/post/')(wanted)).toBe(small)
  const server = '<img src="https://i0.wp.com/site.example/wp-content/uploads/8-photo.png?w=600">'
  expect(shownImages(server, 'https://site.example/')(wanted)).toContain('https://i0.wp.com/')
})

it('is known by a long name wherever the CMS put its copy', () => {
  const html = '<img src="https://cdn.prod.website-files.com/1/65f0a1b2c3d4e5f6a7b8c9d0_kitchen-oven.png">'
  expect(shownImages(html, 'https://a.example/')('https://images.example/kitchen-oven.png')).toContain('cdn.prod.')
})

it.each([
  `<a href="${wanted}">photo</a>`,
  `<meta property="og:image" content="${wanted}">`,
  '<img src="/wp-content/uploads/9-photo.png">',
  '<img src="https://other.example/wp-content/uploads/8-photo.png">',
  '<p>8-photo.png</p>',
  `<img src="/x.png" alt="${wanted}" title="${wanted}">`,
  `<style></style><p>url(${wanted})</p>`,
])('is not shown by %s', (html) => expect(shownImages(html, 'https://site.example/post/')(wanted)).toBeUndefined())
