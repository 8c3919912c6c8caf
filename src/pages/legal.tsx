import type { Legal } from '../platform/runtime/legal.ts'

/** Path of the page about stored data. */
export const DATA_PATH = '/data'

/** Renders the links of the operator, and one to the page about stored data. */
export const LegalLinks = ({ legal: { privacyUrl, termsUrl, statusUrl, supportEmail } }: { legal: Legal }) => (
  <>
    {privacyUrl !== '' && <a href={privacyUrl}>Privacy</a>}
    {termsUrl !== '' && <a href={termsUrl}>Terms</a>}
    <a href={DATA_PATH}>Stored data</a>
    {statusUrl !== '' && <a href={statusUrl}>Status</a>}
    {supportEmail !== '' && <a href={`mailto:${supportEmail}`}>Support</a>}
  </>
)

/** Renders what a person accepts with an account. Nothing if the operator has neither terms nor a privacy policy. */
export const Acceptance = ({ legal: { privacyUrl, termsUrl } }: { legal: Legal }) => {
  const terms = termsUrl !== '' && <a href={termsUrl}>terms</a>
  const privacy = privacyUrl !== '' && <a href={privacyUrl}>privacy policy</a>
  if (!terms && !privacy) return null
  return (
    <p class="hint">
      With an account you accept the {terms}
      {terms && privacy ? ' and the ' : ''}
      {privacy}.
    </p>
  )
}
