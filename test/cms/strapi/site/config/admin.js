module.exports = () => ({
  auth: { secret: 'b'.repeat(16) },
  apiToken: { salt: 'c'.repeat(16) },
  transfer: { token: { salt: 'd'.repeat(16) } },
  secrets: { encryptionKey: 'e'.repeat(32) },
  serveAdminPanel: false,
})
