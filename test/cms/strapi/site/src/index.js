const { renameSync, writeFileSync } = require('node:fs')

/** Makes an owner, and the two tokens that the guide asks for. The tests read them from a file. */
const bootstrap = async ({ strapi }) => {
  const role = await strapi.service('admin::role').getSuperAdmin()
  const { id } = await strapi.service('admin::user').create({
    email: 'owner@example.com',
    firstname: 'Olive',
    password: 'Sup3rSecret-pw',
    isActive: true,
    roles: [role.id],
  })
  const owner = await strapi.db.query('admin::user').findOne({ where: { id }, populate: ['roles'] })
  const api = await strapi
    .service('admin::api-token')
    .create({ name: 'galley', kind: 'content-api', type: 'full-access', lifespan: null })
  const publish = {
    action: 'plugin::content-manager.explorer.publish',
    subject: 'api::post.post',
    properties: {},
    conditions: [],
  }
  const admin = await strapi
    .service('admin::api-token-admin')
    .create({ name: 'galley-admin', kind: 'admin', lifespan: null, adminPermissions: [publish] }, owner)
  const file = `${process.env.TOKENS}.new`
  writeFileSync(file, `STRAPI_TOKEN=${api.accessKey}\nSTRAPI_ADMIN_TOKEN=${admin.accessKey}\n`)
  renameSync(file, process.env.TOKENS)
}

module.exports = { register() {}, bootstrap }
