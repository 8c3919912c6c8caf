import * as z from 'zod/mini'
import type { MediaFile } from '../../../schema/values/social.ts'
import { text } from '../../lib/fields.ts'
import { hideSecrets } from '../../lib/hide-secrets.ts'
import { clip, storableText } from '../../lib/text.ts'
import type { Deps } from '../../runtime/ctx.ts'
import type { DirectAccount, DirectNetwork, Got, OutgoingPost, SendOutcome } from '../../social/port.ts'

type TelegramMeans = Pick<Deps, 'outbound'> & { baseUrl: string }

const TIMEOUT_MS = 30_000
const MAX_BYTES = 256 * 1024
const MAX_WAIT_S = 3_600

const Fields = z.object({
  bot_token: z.string().check(
    z.trim(),
    z.refine((value) => /^\d{1,20}:[A-Za-z0-9_-]{20,100}$/.test(value), {
      error: 'must be a bot’s token as BotFather gives it: digits, a colon, letters and digits',
    }),
  ),
  chat_id: z.pipe(
    z.union([z.string(), z.int()]),
    z.pipe(
      z.transform((value: string | number) => String(value).trim()),
      z.string().check(
        z.refine((value) => /^(@[A-Za-z][A-Za-z0-9_]{3,63}|-?\d{1,20})$/.test(value), {
          error: 'must be a channel’s @name, or the number of a chat',
        }),
      ),
    ),
  ),
  name: z.optional(text(200, 1)),
})

const Envelope = z.object({
  ok: z.boolean(),
  result: z.optional(z.unknown()),
  description: z.optional(z.string()),
  parameters: z.optional(z.object({ retry_after: z.optional(z.number()) })),
})

type Asked =
  | { kind: 'answered'; result: unknown }
  | { kind: 'refused'; reason: string; status: number; retryable: boolean; retryAfterS?: number }
  | { kind: 'unknown'; reason: string }

/** One method of the Bot API. The token stands in the address, so no message may hold it. */
const ask = async (
  { outbound, baseUrl }: TelegramMeans,
  token: string,
  method: string,
  body: object,
): Promise<Asked> => {
  const answer = await outbound({
    url: `${baseUrl}/bot${token}/${method}`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  })
  if (answer.kind === 'forbidden' || answer.kind === 'unsent')
    return { kind: 'refused', reason: 'Telegram could not be reached.', status: 0, retryable: true }
  if (answer.kind === 'no_answer') return { kind: 'unknown', reason: 'Telegram did not answer in time.' }
  const parsed = Envelope.safeParse(safeJson(answer.body))
  if (parsed.success && parsed.data.ok) return { kind: 'answered', result: parsed.data.result }
  const message = parsed.success ? (parsed.data.description ?? '') : ''
  const reason = clip(
    storableText(hideSecrets(`Telegram answered ${answer.status}${message ? `: ${message}` : '.'}`, [token])),
    500,
  )
  if (answer.status >= 500 || !parsed.success) return { kind: 'unknown', reason }
  const wait = parsed.data.parameters?.retry_after
  return {
    kind: 'refused',
    reason,
    status: answer.status,
    retryable: answer.status === 429,
    ...(wait === undefined ? {} : { retryAfterS: Math.min(MAX_WAIT_S, Math.max(1, wait)) }),
  }
}

const safeJson = (body: string): unknown => {
  try {
    return JSON.parse(body) as unknown
  } catch {
    return undefined
  }
}

const Bot = z.object({ id: z.int(), username: z._default(z.optional(z.string()), '') })
const Chat = z.object({
  id: z.int(),
  type: z.string(),
  title: z._default(z.optional(z.string()), ''),
  username: z._default(z.optional(z.string()), ''),
})
const Member = z.object({ status: z.string(), can_post_messages: z.optional(z.boolean()) })

const read = <S extends z.ZodMiniType>(asked: Asked, shape: S): Got<z.infer<S>> => {
  if (asked.kind === 'unknown') return { kind: 'refused', reason: asked.reason, retryable: true }
  if (asked.kind === 'refused') return asked
  const parsed = shape.safeParse(asked.result)
  if (parsed.success) return { kind: 'got', value: parsed.data }
  return { kind: 'refused', reason: 'Telegram’s answer could not be read.', retryable: true }
}

const connect = async (means: TelegramMeans, { bot_token: token, chat_id, name }: z.infer<typeof Fields>) => {
  const bot = read(await ask(means, token, 'getMe', {}), Bot)
  if (bot.kind === 'refused') return bot
  const chat = read(await ask(means, token, 'getChat', { chat_id }), Chat)
  if (chat.kind === 'refused') return chat
  const member = read(
    await ask(means, token, 'getChatMember', { chat_id: chat.value.id, user_id: bot.value.id }),
    Member,
  )
  if (member.kind === 'refused') return member
  const { status, can_post_messages: mayPost } = member.value
  const isAllowed =
    chat.value.type === 'channel'
      ? status === 'creator' || (status === 'administrator' && mayPost !== false)
      : !['left', 'kicked', 'restricted'].includes(status)
  if (!isAllowed)
    return {
      kind: 'refused' as const,
      reason: `The bot may not post in this chat: make @${bot.value.username} an administrator that may post messages.`,
      retryable: false,
    }
  const { id, title, username } = chat.value
  return {
    kind: 'got' as const,
    value: {
      remoteId: String(id),
      name: name ?? (title || username),
      username: username || String(id),
      url: means.baseUrl,
      secrets: { bot_token: token, username },
      session: null,
    },
  }
}

type Sending = { method: string; body: object }

const one = ({ type, url }: MediaFile, caption: string): Sending =>
  type === 'video'
    ? { method: 'sendVideo', body: { video: url, caption, supports_streaming: true } }
    : { method: 'sendPhoto', body: { photo: url, caption } }

const sendingOf = ({ text: words, media }: OutgoingPost): Sending => {
  const [first, second] = media
  if (!first) return { method: 'sendMessage', body: { text: words } }
  if (!second) return one(first, words)
  const files = media.map(({ type, url }, n) => ({
    type: type === 'video' ? 'video' : 'photo',
    media: url,
    ...(n === 0 && words !== '' ? { caption: words } : {}),
  }))
  return { method: 'sendMediaGroup', body: { media: files } }
}

/** The largest files that Telegram fetches from an address, bytes. */
const MAX_BYTES_OF = { image: 5 * 1024 * 1024, video: 20 * 1024 * 1024 } as const

const misfit = ({ media }: Pick<OutgoingPost, 'media'>): string | undefined =>
  media.some(({ type, size = 0 }) => size > MAX_BYTES_OF[type])
    ? 'must be pictures of at most 5 MB and videos of at most 20 MB: a bot at Telegram fetches no larger ones'
    : undefined

const Message = z.object({ message_id: z.int(), date: z._default(z.optional(z.int()), 0) })
const Sent = z.union([Message, z.array(Message).check(z.minLength(1))])

const send = async (means: TelegramMeans, account: DirectAccount, post: OutgoingPost): Promise<SendOutcome> => {
  const { method, body } = sendingOf(post)
  const asked = await ask(means, account.secrets.bot_token ?? '', method, { chat_id: account.remoteId, ...body })
  if (asked.kind === 'unknown') return asked
  if (asked.kind === 'refused') {
    const { reason, retryable, retryAfterS } = asked
    return { kind: 'refused', reason, retryable, ...(retryAfterS === undefined ? {} : { retryAfterS }) }
  }
  const sent = Sent.safeParse(asked.result)
  if (!sent.success) return { kind: 'unknown', reason: 'Telegram’s answer could not be read.' }
  const message = Array.isArray(sent.data) ? sent.data[0] : sent.data
  const id = String(message?.message_id ?? '')
  const name = account.secrets.username
  return {
    kind: 'published',
    remoteId: id,
    networkId: id,
    ...(name ? { url: `https://t.me/${name}/${id}` } : {}),
    ...(message?.date ? { publishedAt: new Date(message.date * 1_000) } : {}),
  }
}

/**
 * Telegram, called directly as a bot of the user's (Bot API). It cannot be asked what a chat holds, so a message whose answer
 * was lost is never sent again by itself.
 */
export const telegram = (means: TelegramMeans): DirectNetwork => ({
  credentials: { fields: Fields, connect: (fields) => connect(means, fields as z.infer<typeof Fields>) },
  misfit,
  send: (account, post) => send(means, account, post),
})
