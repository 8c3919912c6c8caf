import { PATHS } from '../../../src/people/paths.ts'

/** Whose keyword data are read, and what to do where a plan brings its own keys. */
export const KeywordHelp = () => (
  <>
    <p>
      Keyword research tells how often something is searched for in a month, how hard it is to be found for it, and what
      people want who search for it.
    </p>
    <h2>Whose data</h2>
    <p>
      Plans with the service’s own keyword data need nothing. On the plan without it, your own key of DataForSEO or
      Ahrefs is used: DataForSEO first, where both are saved. Until one is saved, keyword research is refused and
      nothing is looked up.
    </p>
    <h2>Saving a key</h2>
    <p>
      Save it under <a href={PATHS.providerKeys}>Provider keys</a>. For DataForSEO that is the login and the API
      password of its dashboard, for Ahrefs an API key. The service is asked first whether the key is accepted, which
      costs nothing there; keys are kept sealed and never shown again. Then ask your agent to go on.
    </p>
  </>
)
