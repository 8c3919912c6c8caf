import * as z from 'zod/mini'
import { text } from '../../../platform/lib/fields.ts'
import { foreignJson, hideSecrets } from '../../../platform/lib/foreign-answers.ts'
import { type FormFile, multipartOf } from '../../../platform/lib/multipart.ts'
import { clip, storableText, withNext, withStop } from '../../../platform/lib/text.ts'
import type { Deps } from '../../../platform/runtime/ctx.ts'
import type {
  DirectAccount,
  DirectNetwork,
  Got,
  OutgoingPost,
  SendOutcome,
  StoredFile,
  StoredFiles,
} from '../../../reach/social/port.ts'

type TelegramDeps = Pick<Deps, 'outbound'> & { baseUrl: string; files: StoredFiles }

const TIMEOUT_MS = 30_000
/** Time limit of a call with files, ms, below the limit of one attempt. */
const UPLOAD_TIMEOUT_MS = 90_000
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
  parameters: z.optional(z.object({ retry_after: z.optional(z.number()), migrate_to_chat_id: z.optional(z.int()) })),
})

/** Advice for the owner of a bot without access, by HTTP status: its token is invalid, or the chat removed it. */
const HINTS: Readonly<Record<number, string>> = {
  401: 'Get a new token from BotFather, and connect the channel again.',
  403: 'Make the bot an administrator of the channel again, and connect the channel again.',
}

type Asked =
  | { kind: 'answered'; result: unknown }
  | {
      kind: 'refused'
      reason: string
      status: number
      retryable: boolean
      retryAfterS?: number
      /** New number of the chat, after it became a supergroup. */
      movedTo?: number
    }
  | { kind: 'unknown'; reason: string }

/** Returns the fields of a form. Values other than texts become JSON. */
const formFields = (body: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )

/** Calls one method of the Bot API, as a form if there are files. The token is in the address, so no message may contain it. */
const ask = async (
  { outbound, baseUrl }: TelegramDeps,
  token: string,
  method: string,
  body: object,
  files: readonly FormFile[] = [],
): Promise<Asked> => {
  const form = files.length > 0 ? multipartOf(formFields(body), files) : undefined
  const answer = await outbound({
    url: `${baseUrl}/bot${token}/${method}`,
    method: 'POST',
    headers: { 'content-type': form?.type ?? 'application/json' },
    body: form?.body ?? JSON.stringify(body),
    timeoutMs: form ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  })
  if (answer.kind === 'forbidden' || answer.kind === 'unsent')
    return { kind: 'refused', reason: 'Telegram could not be reached.', status: 0, retryable: true }
  if (answer.kind === 'no_answer') return { kind: 'unknown', reason: 'Telegram did not answer in time.' }
  const parsed = Envelope.safeParse(foreignJson(answer.body))
  if (parsed.success && parsed.data.ok) return { kind: 'answered', result: parsed.data.result }
  const message = parsed.success ? (parsed.data.description ?? '') : ''
  const said = withStop(clip(`Telegram answered ${answer.status}${message ? `: ${message}` : '.'}`, 360))
  const reason = storableText(hideSecrets(withNext(said, HINTS[answer.status]), [token]))
  if (answer.status >= 500 || !parsed.success) return { kind: 'unknown', reason }
  const { retry_after: wait, migrate_to_chat_id: movedTo } = parsed.data.parameters ?? {}
  return {
    kind: 'refused',
    reason,
    status: answer.status,
    retryable: answer.status === 429,
    ...(wait === undefined ? {} : { retryAfterS: Math.min(MAX_WAIT_S, Math.max(1, wait)) }),
    ...(movedTo === undefined ? {} : { movedTo }),
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

const connect = async (deps: TelegramDeps, { bot_token: token, chat_id, name }: z.infer<typeof Fields>) => {
  const bot = read(await ask(deps, token, 'getMe', {}), Bot)
  if (bot.kind === 'refused') return bot
  const chat = read(await ask(deps, token, 'getChat', { chat_id }), Chat)
  if (chat.kind === 'refused') return chat
  const member = read(
    await ask(deps, token, 'getChatMember', { chat_id: chat.value.id, user_id: bot.value.id }),
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
      url: deps.baseUrl,
      secrets: { bot_token: token, username },
      session: null,
    },
  }
}

type Sending = { method: string; body: object; files: readonly FormFile[] }

const TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
}

const formFile = (n: number, { name, size, open }: StoredFile): FormFile => ({
  name: `file${n}`,
  filename: name,
  type: TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
  size,
  open,
})

/**
 * Returns the call for a post. Files stored here are uploaded; Telegram fetches others from their addresses. Throws if the storage does not
 * answer.
 */
const sendingOf = async (stored: StoredFiles, { text: words, media }: OutgoingPost): Promise<Sending> => {
  const files: FormFile[] = []
  const given: { type: 'photo' | 'video'; media: string }[] = []
  for (const { type, url } of media) {
    const file = await stored.look(url)
    if (file) files.push(formFile(files.length, file))
    given.push({
      type: type === 'video' ? 'video' : 'photo',
      media: file ? `attach://${files.at(-1)?.name}` : url,
    })
  }
  const [first, second] = given
  if (!first) return { method: 'sendMessage', body: { text: words }, files }
  if (second)
    return {
      method: 'sendMediaGroup',
      body: { media: given.map((one, n) => (n === 0 && words !== '' ? { ...one, caption: words } : one)) },
      files,
    }
  return first.type === 'video'
    ? { method: 'sendVideo', body: { video: first.media, caption: words, supports_streaming: true }, files }
    : { method: 'sendPhoto', body: { photo: first.media, caption: words }, files }
}

const MIB = 1_024 * 1_024
/** Largest files that a bot may send, and largest that Telegram fetches from an address, bytes. */
const MAX_SENT = { image: 10 * MIB, video: 50 * MIB } as const
const MAX_FETCHED = { image: 5 * MIB, video: 20 * MIB } as const

const misfit = ({ files }: TelegramDeps, { media }: Pick<OutgoingPost, 'media'>): string | undefined => {
  const isTooLarge = media.some(({ type, url, size = 0 }) => size > (files.has(url) ? MAX_SENT : MAX_FETCHED)[type])
  return isTooLarge
    ? 'must be pictures of at most 10 MB and videos of at most 50 MB: a bot at Telegram sends no larger ones; and of at most 5 and 20 MB at an address of another site'
    : undefined
}

const Message = z.object({ message_id: z.int(), date: z._default(z.optional(z.int()), 0) })
const Sent = z.union([Message, z.array(Message).check(z.minLength(1))])

const send = async (deps: TelegramDeps, account: DirectAccount, post: OutgoingPost): Promise<SendOutcome> => {
  const sending = await sendingOf(deps.files, post).catch(() => undefined)
  if (!sending)
    return { kind: 'refused', reason: 'The files of the post could not be read from storage.', retryable: true }
  const { method, body, files } = sending
  const sendTo = (chat_id: string | number) =>
    ask(deps, account.secrets.bot_token ?? '', method, { chat_id, ...body }, files)
  const first = await sendTo(account.remoteId)
  // A group that became a supergroup has a new number. Nothing was sent under the old one.
  const asked = first.kind === 'refused' && first.movedTo !== undefined ? await sendTo(first.movedTo) : first
  if (asked.kind === 'unknown') return asked
  if (asked.kind === 'refused') {
    const { reason, status, retryable, retryAfterS } = asked
    if (HINTS[status] !== undefined) await account.end(reason)
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
 * Returns Telegram, called directly as the user's own bot (https://core.telegram.org/bots/api).
 *
 * A bot cannot read the messages of a chat. So a message whose answer was lost is never sent again automatically.
 */
export const telegram = (deps: TelegramDeps): DirectNetwork => ({
  credentials: { fields: Fields, connect: (fields) => connect(deps, fields as z.infer<typeof Fields>) },
  misfit: (post) => misfit(deps, post),
  send: (account, post) => send(deps, account, post),
})
