import { type Attribute, type ResourceType, SCHEMAS, type Schema, GROUPS, USERS } from './attributes.ts';
import { scimLimits } from './limits.ts';
import type { Resource } from './read-resource.ts';

const CONFIG = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig';
const TYPE = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';
const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema';

/** What we take and what we leave out (RFC 7643, section 5). */
export function serviceConfig(url: string): Resource {
  return {
    schemas: [CONFIG],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: scimLimits.pageMax },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Directory token',
        description: 'A token that an admin of the team has made.',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${url}/ServiceProviderConfig` },
  };
}

export function resourceTypes(url: string): readonly Resource[] {
  return [USERS, GROUPS].map((type) => shownType(type, url));
}

export function schemas(url: string): readonly Resource[] {
  return SCHEMAS.map((schema) => shownSchema(schema, url));
}

function shownType({ name, place, schema, extensions }: ResourceType, url: string): Resource {
  return {
    schemas: [TYPE],
    id: name,
    name,
    endpoint: `/${place}`,
    schema,
    ...(extensions.length > 0
      ? { schemaExtensions: extensions.map((urn) => ({ schema: urn, required: false })) }
      : {}),
    meta: { resourceType: 'ResourceType', location: `${url}/ResourceTypes/${name}` },
  };
}

function shownSchema({ id, name, description, attributes }: Schema, url: string): Resource {
  return {
    schemas: [SCHEMA],
    id,
    name,
    description,
    attributes: attributes.map(shownAttribute),
    meta: { resourceType: 'Schema', location: `${url}/Schemas/${id}` },
  };
}

function shownAttribute({ name, type, parts, mutability, ...rest }: Attribute): Resource {
  return {
    name,
    type,
    multiValued: rest.isMany ?? false,
    required: rest.isRequired ?? false,
    caseExact: rest.isExact ?? false,
    mutability: mutability ?? 'readWrite',
    returned: 'default',
    uniqueness: rest.isUnique ? 'server' : 'none',
    ...(type === 'reference' ? { referenceTypes: ['uri'] } : {}),
    ...(parts ? { subAttributes: parts.map(shownAttribute) } : {}),
  };
}
