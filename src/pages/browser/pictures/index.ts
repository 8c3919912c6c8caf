import { hostPicture, picturesUnderWay } from '../host-picture.ts'

const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T

/** Sends files, puts the addresses of their pictures into the form, and shows the post with them. */
const start = (chooser: HTMLInputElement, form: HTMLFormElement): void => {
  const said = element('picture-said')
  const addresses = element<HTMLInputElement>('field-addresses')
  const say = (text: string): void => {
    said.textContent = text
  }
  form.addEventListener('submit', (event) => {
    if (picturesUnderWay() === 0) return
    event.preventDefault()
    say('A picture is still being sent. Try again when it is there.')
  })
  chooser.addEventListener('change', async () => {
    const files = [...(chooser.files ?? [])]
    chooser.value = ''
    for (const file of files) {
      const show = (share: number) => say(`Sending ${file.name}: ${Math.round(share * 100)} %`)
      show(0)
      const { url, error } = await hostPicture(`${form.action}/pictures`, { file }, show)
      if (url === undefined) return say(error ?? 'The picture was not taken.')
      addresses.value = `${addresses.value} ${url}`.trim()
    }
    if (files.length > 0) form.requestSubmit(element('preview'))
  })
}

const chooser = document.querySelector<HTMLInputElement>('#picture-file')
if (chooser?.form) start(chooser, chooser.form)
