type Binding = { fetch: typeof fetch }

/** Address that moved: paths by a pattern, or one whole address at which Workers call each other. */
type Moved = RegExp | string

const has = (moved: Moved, url: string): boolean =>
  typeof moved === 'string' ? moved === url : moved.test(new URL(url).pathname)

/**
 * Returns a Worker whose operations have moved in part: what matches goes to the Worker bound under that name. While a deployment is under
 * way, callers of the release before still ask for it here. Two releases after the one that moved them this can go.
 */
export const handingOn = <Env>(
  own: ExportedHandler<Env>,
  moved: readonly (readonly [what: Moved, binding: string])[],
): ExportedHandler<Env> => ({
  fetch: async (request, env, ctx) => {
    const name = moved.find(([what]) => has(what, request.url))?.[1]
    const to = name === undefined ? undefined : ((env as Record<string, unknown>)[name] as Binding | undefined)
    if (to) return await to.fetch(request)
    return (await own.fetch?.(request, env, ctx)) ?? new Response(null, { status: 404 })
  },
})
