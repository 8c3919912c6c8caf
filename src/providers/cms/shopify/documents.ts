/** GraphQL documents for the Admin API, version 2026-10. Each is valid against its schema. */

const POST = `fragment Post on Article {
  id handle title isPublished publishedAt createdAt
  blog { id handle }
  mark: metafield(namespace: "$app", key: "external_id") { value }
}`

/** Query for the shop, its first 50 blogs and the app's rights. With `chosen` also for the blog with that id. */
export const SETTING = `query Setting($blogId: ID!, $chosen: Boolean!) {
  shop { name primaryDomain { url } }
  blog(id: $blogId) @include(if: $chosen) { id title handle }
  blogs(first: 50) { nodes { id title handle } }
  currentAppInstallation { accessScopes { handle } }
}`

/** Query for an article by id, by search, and among the blog's articles, which are not read from the search index. */
export const FIND = `query Find($id: ID!, $known: Boolean!, $search: String!, $blogId: ID!) {
  article(id: $id) @include(if: $known) { ...Post }
  articles(first: 5, query: $search) { nodes { ...Post } }
  blog(id: $blogId) { articles(first: 25, reverse: true) { nodes { ...Post } } }
}
${POST}`

/** Query for an article with all fields that a version keeps. */
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

const LISTED = `fragment Listed on Article {
  id handle title isPublished publishedAt createdAt updatedAt
  blog { id handle }
  author { name }
}`

/** Query for a page of all articles, without texts, which could exceed the cost of a query. */
export const LIST = `query List($after: String) {
  articles(first: 100, after: $after, sortKey: ID) { nodes { ...Listed } pageInfo { hasNextPage endCursor } }
}
${LISTED}`

/** Query for the articles of all blogs under a handle. */
export const FIND_HANDLE = `query FindHandle($search: String!) {
  articles(first: 25, query: $search) { nodes { ...Post } }
}
${POST}`

/** Query for an article with its text and the template that draws it. */
export const STORED = `query Stored($id: ID!) {
  article(id: $id) {
    ...Listed
    body summary tags templateSuffix
    image { url altText }
    description: metafield(namespace: "global", key: "description_tag") { value }
    searchTitle: metafield(namespace: "global", key: "title_tag") { value }
  }
}
${LISTED}`

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

/** Query for the metafields that the shop defines for articles. */
export const DEFINITIONS = `query Definitions {
  metafieldDefinitions(first: 250, ownerType: ARTICLE) { nodes { namespace key name type { name } validations { name value } } }
}`

export const DELETE_METAFIELDS = `mutation DeleteMetafields($metafields: [MetafieldIdentifierInput!]!) {
  metafieldsDelete(metafields: $metafields) { userErrors { field message } }
}`

export const DELETE = `mutation Delete($id: ID!) {
  articleDelete(id: $id) { deletedArticleId userErrors { code field message } }
}`

/** Mutation that creates a file from its address, or from the address of a staged upload. */
export const CREATE_FILE = `mutation CreateFile($files: [FileCreateInput!]!) {
  fileCreate(files: $files) { files { id fileStatus ... on MediaImage { image { url } } } userErrors { code field message } }
}`

/** Query for the state and the address of an image. */
export const FILE = `query File($id: ID!) {
  node(id: $id) { ... on MediaImage { id fileStatus image { url } } }
}`

/** Mutation that reserves an address for uploading the bytes of a file. */
export const STAGE_UPLOAD = `mutation StageUpload($input: [StagedUploadInput!]!) {
  stagedUploadsCreate(input: $input) {
    stagedTargets { url resourceUrl parameters { name value } }
    userErrors { field message }
  }
}`
