import type { PostWriter } from '../../../reach/social/writer-port.ts'
import { PostsAnswer } from '../../../reach/social/writer-wire.ts'
import { askWriter, type WriterBinding } from './ask.ts'

/** Returns the writer of posts in the writer's Worker, over the service binding. */
export const postWriterClient = (binding: WriterBinding): PostWriter => ({
  posts: async (task) => await askWriter(binding, 'posts', task, PostsAnswer, 'posts'),
})
