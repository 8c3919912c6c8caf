import { type Copy, copies, dropCopy, sendCopy } from '../kept.ts'
import { el, openDialog } from './palette.ts'

/** Answer of the service for a text of another person. It is theirs, and stays. */
const NOT_YOURS = 403

const ask = (form: HTMLFormElement, left: readonly Copy[]): void => {
  const out = el('button', { type: 'button', class: 'danger' }, 'Delete it here and sign out')
  const dialog = openDialog(
    'Sign out',
    el('h2', {}, 'Text that was not saved'),
    el(
      'p',
      {},
      'The service could not keep what you typed last, so only this browser has it. Go back and save it, or it is deleted when you sign out.',
    ),
    el('ul', {}, ...left.map(({ path, title }) => el('li', {}, el('a', { href: `${path}/edit` }, title || path)))),
    el('form', { method: 'dialog', class: 'row' }, el('button', { autofocus: '' }, 'Stay signed in'), out),
  )
  out.addEventListener('click', () => {
    for (const copy of left) dropCopy(copy)
    dialog.close()
    form.submit()
  })
}

/** Sends what only this browser has of a person's texts to the service before they sign out, and deletes it here. */
export const startSignOut = (): void =>
  document.addEventListener('submit', (event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement) || new URL(form.action).pathname !== '/sign-out') return
    const kept = copies()
    if (kept.length === 0) return
    event.preventDefault()
    void Promise.all(kept.map(sendOne)).then((left) => {
      const own = left.flatMap((copy) => copy ?? [])
      return own.length === 0 ? form.submit() : ask(form, own)
    })
  })

/** Sends a text. Returns it if it is the person's and the service has not kept it. */
const sendOne = async (copy: Copy): Promise<Copy | undefined> => {
  const status = await sendCopy(copy)
  if (status === 200) dropCopy(copy)
  return status === 200 || status === NOT_YOURS ? undefined : copy
}
