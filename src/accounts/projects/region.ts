import { countryNamed, isWorldwide, nearestCountry, WORLDWIDE } from '../../platform/lib/countries.ts'
import { invalidInput } from '../../platform/lib/errors.ts'
import { tagOfLanguage } from '../../platform/lib/languages.ts'

/**
 * Checks that the `keyword_region` among settings names a country, in English or in the project's language, or the world. Throws 400
 * with the nearest country.
 */
export const checkRegion = ({ keyword_region: region }: Record<string, unknown>, language: string): void => {
  if (typeof region !== 'string' || isWorldwide(region) || countryNamed(region, tagOfLanguage(language))) return
  const near = nearestCountry(region)
  const message = `must be the name of a country, its ISO code (two letters), or ${WORLDWIDE}`
  throw invalidInput([
    { field: 'keyword_region', message: near === undefined ? message : `${message}. Did you mean ${near}?` },
  ])
}
