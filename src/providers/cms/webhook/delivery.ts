import type { PublishRequest } from '../../../publishing/target/publish-target.ts'

/** Options of a connection test. `isEmpty`: it sends no article. */
export type Test = { isTest?: boolean; isEmpty?: boolean }

/** Returns the body of a delivery. It is built for each attempt, so that `timestamp` is the time of sending. */
export const deliveryBody = (
  { event, article }: PublishRequest,
  sentAt: Date,
  { isTest = false, isEmpty = false }: Test = {},
): string => {
  const isUpdate = event === 'update_articles'
  const { category, ...rest } = article
  return JSON.stringify({
    event_type: event,
    timestamp: sentAt.toISOString(),
    ...(isTest ? { test: true } : {}),
    data: {
      articles: isEmpty
        ? []
        : [
            {
              ...rest,
              ...(category === '' ? {} : { category }),
              ...(rest.url === undefined ? {} : { published_url: rest.url }),
              is_update: isUpdate,
              update_only: isUpdate,
            },
          ],
    },
  })
}
