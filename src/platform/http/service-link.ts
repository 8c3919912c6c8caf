/** Adds the link to the API's description to an answer. Source: https://www.rfc-editor.org/rfc/rfc8631 */
export const SERVICE_LINK = {
  Link: '</openapi.json>; rel="service-desc"; type="application/openapi+json", </docs>; rel="service-doc"; type="text/html"',
} as const
