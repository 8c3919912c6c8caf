module.exports = ['errors', 'security', 'cors', 'query', 'body', 'session', 'favicon', 'public'].map(
  (name) => `strapi::${name}`,
)
