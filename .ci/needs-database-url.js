// Without it the tests would quietly run on the embedded database.
if (!process.env.DATABASE_URL) {
  console.error(
    'Set DATABASE_URL to a PostgreSQL role that may create databases, such as postgres://postgres@127.0.0.1:5432/postgres',
  );
  process.exit(1);
}
