import type { BetterAuthPlugin } from 'better-auth';

const user = { model: 'user', field: 'id', onDelete: 'cascade' } as const;

/** Our tables beside the library's, made and kept by it. */
export const teamTables = {
  id: 'plugboard',
  schema: {
    teamGroup: {
      fields: {
        displayName: { type: 'string', required: true, unique: true },
        externalId: { type: 'string', required: false },
        createdAt: { type: 'date', required: true },
        updatedAt: { type: 'date', required: true },
      },
    },
    teamGroupMember: {
      fields: {
        groupId: {
          type: 'string',
          required: true,
          index: true,
          references: { model: 'teamGroup', field: 'id', onDelete: 'cascade' },
        },
        userId: { type: 'string', required: true, index: true, references: user },
      },
    },
    /** What a directory shows to change people and groups; it does so for the admin who made it. */
    directoryToken: {
      fields: {
        digest: { type: 'string', required: true, unique: true },
        name: { type: 'string', required: true },
        userId: { type: 'string', required: true, index: true, references: user },
        createdAt: { type: 'date', required: true },
        usedAt: { type: 'date', required: false },
      },
    },
    /** What a directory says of a person, beside their address and name. */
    directoryPerson: {
      fields: {
        userId: { type: 'string', required: true, unique: true, references: user },
        userName: { type: 'string', required: true },
        /** In lower case: two that differ in case are one. */
        foldedName: { type: 'string', required: true, unique: true },
        externalId: { type: 'string', required: false, index: true },
        attributes: { type: 'string', required: true },
        createdAt: { type: 'date', required: true },
        updatedAt: { type: 'date', required: true },
      },
    },
    /** A server that a member would like to share with the team. */
    promotion: {
      fields: {
        userId: { type: 'string', required: true, index: true, references: user },
        server: { type: 'string', required: true },
        definition: { type: 'string', required: true },
        createdAt: { type: 'date', required: true },
      },
    },
    /** Who was removed: the records of their calls stay, and auditors read whose they are. */
    formerPerson: {
      fields: {
        userId: { type: 'string', required: true, unique: true },
        email: { type: 'string', required: true },
        leftAt: { type: 'date', required: true },
      },
    },
    /** The one scheduled export of records, with how far it has come. */
    auditExport: {
      fields: {
        place: { type: 'string', required: true, unique: true },
        /** A change names the one that it has read. */
        version: { type: 'number', required: true },
        body: { type: 'string', required: true },
      },
    },
    /** Invitations that single sign-on may use: the link itself is not kept. */
    invited: {
      fields: {
        email: { type: 'string', required: true, unique: true },
        role: { type: 'string', required: true },
        expiresAt: { type: 'date', required: true },
      },
    },
    /** Assertions of hosts that were used; a second use collides. */
    usedAssertion: {
      fields: {
        digest: { type: 'string', required: true, unique: true },
        expiresAt: { type: 'date', required: true },
      },
    },
  },
} as const satisfies BetterAuthPlugin;
