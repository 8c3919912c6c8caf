import { assetPath } from '../assets.ts'

/** Script that asks the browser for a passkey and sends the form with the result. */
export const PASSKEY_SCRIPT = `
const form = document.querySelector('form[data-passkey]')
const said = form.querySelector('[role=status]')
const button = form.querySelector('button')
const keys = window.PublicKeyCredential
if (keys?.parseRequestOptionsFromJSON) button.disabled = false
const ask = () => {
  const options = JSON.parse(form.dataset.options)
  return form.dataset.passkey === 'create'
    ? navigator.credentials.create({ publicKey: keys.parseCreationOptionsFromJSON(options) })
    : navigator.credentials.get({ publicKey: keys.parseRequestOptionsFromJSON(options) })
}
const WHY = {
  InvalidStateError: 'This device has a passkey for you already. Nothing was added.',
  SecurityError: 'There can be no passkeys at this address. Nothing was changed.',
}
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  button.disabled = true
  try {
    form.elements.response.value = JSON.stringify(await ask())
    form.submit()
  } catch (error) {
    button.disabled = false
    said.textContent = WHY[error.name] ?? 'The device gave no passkey, so nothing was changed. You can try again.'
  }
})
`

/** Address of the script. */
export const PASSKEY_JS = assetPath('passkey', PASSKEY_SCRIPT, 'js')
