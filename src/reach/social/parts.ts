export { directAccountsOf, profileOf } from './queries.ts'
