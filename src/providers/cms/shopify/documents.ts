/** The GraphQL of the Admin API, version 2026-10; each document is valid against its schema. */

const POST = `fragment Post on Article {
  id handle title isPublished publishedAt createdAt
  blog { id handle }
  mark: metafield(namespace: "$app", key: "external_id") { value }
}`

/** Shop, blogs and rights. With an id that blog alone, else the first 50. */
export const SETTING = `query Setting($blogId: ID!, $chosen: Boolean!) {
  shop { name primaryDomain { url } }
  blog(id: $blogId) @include(if: $chosen) { id title handle }
  blogs(first: 50) { nodes { id title handle } }
  currentAppInstallation { accessScopes { handle } }
}`

/** By id, by search, and among the blog's articles, which are not read from the search index. */
export const FIND = `query Find($id: ID!, $known: Boolean!, $search: String!, $blogId: ID!) {
  article(id: $id) @include(if: $known) { ...Post }
  articles(first: 5, query: $search) { nodes { ...Post } }
  blog(id: $blogId) { articles(first: 25, reverse: true) { nodes { ...Post } } }
}
${POST}`

export const READ = `query Read($id: ID!) {
  article(id: $id) {
    ...Post
    body summary tags
    author { name }
    image { url altText }
    description: metafield(namespace: "global", key: "description_tag") { value }
    searchTitle: metafield(namespace: "global", key: "title_tag") { value }
    imageSource: metafield(namespace: "$app", key: "image_source") { value }
  }
}
${POST}`

export const CREATE = `mutation Create($article: ArticleCreateInput!) {
  articleCreate(article: $article) { article { ...Post } userErrors { code field message } }
}
${POST}`

export const UPDATE = `mutation Update($id: ID!, $article: ArticleUpdateInput!) {
  articleUpdate(id: $id, article: $article) { article { ...Post } userErrors { code field message } }
}
${POST}`

export const SET_METAFIELDS = `mutation SetMetafields($metafields: [MetafieldsSetInput!]!) {
  metafieldsSet(metafields: $metafields) { metafields { key } userErrors { code field message } }
}`

export const DELETE = `mutation Delete($id: ID!) {
  articleDelete(id: $id) { deletedArticleId userErrors { code field message } }
}`

/** Takes a file in by its address, or by that of a staged upload. */
export const CREATE_FILE = `mutation CreateFile($files: [FileCreateInput!]!) {
  fileCreate(files: $files) { files { id fileStatus ... on MediaImage { image { url } } } userErrors { code field message } }
}`

export const FILE = `query File($id: ID!) {
  node(id: $id) { ... on MediaImage { id fileStatus image { url } } }
}`

/** Mutation that reserves an address to which the bytes of a file are sent. */
export const STAGE_UPLOAD = `mutation StageUpload($input: [StagedUploadInput!]!) {
  stagedUploadsCreate(input: $input) {
    stagedTargets { url resourceUrl parameters { name value } }
    userErrors { field message }
  }
}`
