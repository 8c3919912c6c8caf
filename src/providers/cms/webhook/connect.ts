import * as z from 'zod/mini'
import { newSigningSecret } from '../../../platform/lib/crypto.ts'
import { headerToken, noBlanks, text } from '../../../platform/lib/fields.ts'
import type { ConnectionForm } from '../../../publishing/target/publish-target.ts'

const Fields = z.object({ url: text(2_000, 1).check(noBlanks()), access_token: headerToken(1_000) })

/** A webhook receiver: its address and the token it wants to see. The signing secret (Standard Webhooks) is made here. */
export const webhookForm: ConnectionForm = {
  fields: Fields,
  connection: (given) => {
    const { url, access_token: token } = Fields.parse(given)
    const name = URL.canParse(url) ? new URL(url).host : url
    return { url, urlField: 'url', name, secrets: { access_token: token, signing_secret: newSigningSecret() } }
  },
}
