import { Client } from 'pg';
import { shared } from '../suite/run-resources.ts';

/** The same database as a role that no policy lets past; the one of the tests is a superuser. */
export async function asOrdinaryRole(url: string): Promise<string> {
  const { pathname } = new URL(url);
  const client = new Client(url);
  await client.connect();
  try {
    // Test files come at the same time, and roles belong to the whole server.
    await client.query(`do $$ begin
      create role ${ROLE} login nosuperuser nobypassrls password '${PASSWORD}';
    exception when duplicate_object or unique_violation then null; end $$`);
    await client.query(`alter database ${pathname.slice(1)} owner to ${ROLE}`);
  } finally {
    await client.end();
  }
  return Object.assign(new URL(url), { username: ROLE, password: PASSWORD }).href;
}

/** A database that holds the same as this one, to which nobody may be connected. */
export async function copied(url: string): Promise<string> {
  const name = new URL(url).pathname.slice(1);
  const copy = `${name}_copy`;
  const client = new Client(await shared('database'));
  await client.connect();
  try {
    await client.query(`create database ${copy} template ${name} owner ${ROLE}`);
  } finally {
    await client.end();
  }
  return Object.assign(new URL(url), { pathname: `/${copy}` }).href;
}

const ROLE = 'plug_ordinary';
const PASSWORD = 'also-of-the-tests';
