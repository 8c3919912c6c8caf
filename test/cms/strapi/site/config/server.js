module.exports = () => ({ host: process.env.HOST, port: Number(process.env.PORT), app: { keys: ['a'.repeat(16)] } })
