import { type Answer, hostPicture } from '../host-picture.ts'
import { element, say } from './parts.ts'

/** Starts the settings beside the text: the button that sends a file of the feature image. `path` takes pictures. */
export const startSettings = (path: string, onChange: () => void): void => {
  const settings = element('#settings')
  const address = element<HTMLInputElement>('#setting-feature_image')
  const chooser = element<HTMLInputElement>('#feature-file')
  const said = element('#feature-said')
  settings.addEventListener('input', onChange)
  element('#feature-add').addEventListener('click', () => chooser.click())
  chooser.addEventListener('change', async () => {
    const [file] = chooser.files ?? []
    chooser.value = ''
    if (!file) return
    const show = (share: number) => {
      said.textContent = `Sending ${file.name}: ${Math.round(share * 100)} %`
    }
    show(0)
    const { url, error }: Answer = await hostPicture(path, { file }, show)
    said.textContent =
      url === undefined
        ? (error ?? 'The picture was not taken.')
        : 'The picture is there. Save, so that the article has it.'
    if (url === undefined) return
    address.value = url
    onChange()
    shown(address).src = url
    const text = element<HTMLInputElement>('#setting-alt_text')
    if (text.value === '') {
      text.focus()
      say('Say what the feature image shows, for people who do not see it.')
    }
  })
}

/** Returns the picture above the address, which is new if there was none. */
const shown = (address: HTMLElement): HTMLImageElement => {
  const found = document.querySelector<HTMLImageElement>('#feature-shown')
  if (found) return found
  const made = document.createElement('img')
  made.id = 'feature-shown'
  made.alt = ''
  made.width = 320
  address.before(made)
  return made
}
