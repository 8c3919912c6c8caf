/** Pure modules for mutation testing, each with its tests. */
export const MODULES: Readonly<Record<string, readonly string[]>> = {
  'src/platform/accounts/api-key.ts': ['test/platform/lib/kernel.test.ts'],
  'src/content/articles/transitions.ts': ['test/content/articles/transitions.test.ts'],
  'src/content/exchange/links.ts': ['test/content/exchange/links.test.ts'],
  'src/content/exchange/rules.ts': ['test/content/exchange/rules.test.ts'],
  'src/content/exchange/scan.ts': ['test/content/exchange/saving.test.ts'],
  'src/platform/http/idempotency.ts': ['test/platform/lib/kernel.test.ts', 'test/platform/http/idempotency.test.ts'],
  'src/platform/http/windows.ts': ['test/platform/http/windows.test.ts', 'test/platform/lib/window-paging.test.ts'],
  'src/platform/lib/crypto.ts': ['test/platform/lib/crypto.test.ts'],
  'src/platform/lib/urls.ts': ['test/platform/lib/urls.test.ts'],
  'src/platform/runtime/outbound.ts': ['test/platform/lib/outbound.test.ts'],
  'src/content/site/robots.ts': ['test/content/site/robots.test.ts'],
  'src/content/writing/facts.ts': ['test/content/writing/evidence.test.ts', 'test/content/writing/facts.test.ts'],
  'src/content/writing/numbers.ts': ['test/content/writing/numbers.test.ts'],
}
