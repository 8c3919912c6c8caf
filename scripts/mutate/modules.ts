/** The pure modules whose tests are proved by mutation, each with the tests that hold it. */
export const MODULES: Readonly<Record<string, readonly string[]>> = {
  'src/accounts/api-key.ts': ['test/lib/kernel.test.ts'],
  'src/articles/transitions.ts': ['test/articles/transitions.test.ts'],
  'src/exchange/links.ts': ['test/exchange/links.test.ts'],
  'src/exchange/rules.ts': ['test/exchange/rules.test.ts'],
  'src/exchange/scan.ts': ['test/exchange/saving.test.ts'],
  'src/http/idempotency.ts': ['test/lib/kernel.test.ts', 'test/http/idempotency.test.ts'],
  'src/http/shared-window.ts': ['test/http/shared-window.test.ts'],
  'src/lib/crypto.ts': ['test/lib/crypto.test.ts'],
  'src/lib/sealed-answer.ts': ['test/lib/crypto.test.ts'],
  'src/lib/urls.ts': ['test/lib/urls.test.ts'],
  'src/runtime/outbound.ts': ['test/lib/outbound.test.ts'],
  'src/site/robots.ts': ['test/site/robots.test.ts'],
  'src/writing/facts.ts': ['test/writing/evidence.test.ts', 'test/writing/facts.test.ts'],
  'src/writing/numbers.ts': ['test/writing/numbers.test.ts'],
}
