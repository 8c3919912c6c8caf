import { element, fieldOf } from './parts.ts'

/** Wait after the last change before the preview is updated, in milliseconds. */
const PREVIEW_AFTER_MS = 400

/**
 * Starts the live preview, which shows the article as the service would publish it. Each preview uses a new frame, so the
 * browser's back button is not affected.
 *
 * Returns the function to call after each change.
 */
export const startPreview = (titleOf: () => string, textSent: () => string): (() => void) => {
  const live = element<HTMLDetailsElement>('#live')
  const frames = element('#live-frames')
  const form = element<HTMLFormElement>('#live-form')
  let previewing: ReturnType<typeof setTimeout> | undefined
  let previews = 0
  const show = (): void => {
    const frame = document.createElement('iframe')
    previews += 1
    frame.name = `preview-${previews}`
    frame.className = 'paper'
    frame.title = 'Preview'
    frame.hidden = true
    frame.addEventListener('load', () => {
      // The script can read the empty page that a frame starts with, but not the preview.
      if (frame.contentDocument !== null || !frame.isConnected) return
      while (frame.previousElementSibling instanceof HTMLIFrameElement) frame.previousElementSibling.remove()
      frame.hidden = false
    })
    frames.append(frame)
    fieldOf(form, 'title').value = titleOf()
    fieldOf(form, 'content_json').value = textSent()
    form.target = frame.name
    form.submit()
  }
  live.addEventListener('toggle', () => {
    if (live.open) show()
  })
  for (const button of live.querySelectorAll<HTMLButtonElement>('button[data-device]'))
    button.addEventListener('click', () => {
      frames.dataset.device = button.dataset.device
      for (const one of live.querySelectorAll('button[data-device]'))
        one.setAttribute('aria-pressed', String(one === button))
    })
  return () => {
    clearTimeout(previewing)
    if (live.open) previewing = setTimeout(show, PREVIEW_AFTER_MS)
  }
}
