module.exports = () => ({
  connection: {
    client: 'sqlite',
    connection: { filename: process.env.DATABASE_FILENAME },
    useNullAsDefault: true,
  },
})
