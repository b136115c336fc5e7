import { npm, remote } from './_featured-entry.ts';
import type { FeaturedServer } from './featured.ts';

/** Money and customers. */
export const businessServers: readonly FeaturedServer[] = [
  remote('stripe', 'Stripe', 'https://mcp.stripe.com', {
    about: 'Payments, customers, invoices and subscriptions in Stripe.',
    words: ['payments', 'stripe invoices'],
    topics: [
      'invoices',
      'my invoices',
      'subscriptions',
      'refunds',
      'credit card payments',
      'customers who paid',
      'zahlungen',
      'rechnungen',
    ],
    risk: 'destructive',
    docs: 'https://docs.stripe.com/mcp',
    readTool: 'get_stripe_account_info',
  }),
  remote('paypal', 'PayPal', 'https://mcp.paypal.com/mcp', {
    about: 'Payments, invoices and transactions in PayPal.',
    words: ['paypal invoices'],
    topics: ['payments', 'transactions', 'online payments'],
    risk: 'destructive',
    docs: 'https://developer.paypal.com/tools/mcp-server/',
    readTool: 'list_invoices',
  }),
  remote('square', 'Square', 'https://mcp.squareup.com/sse', {
    about: 'Payments, orders and catalog in Square.',
    words: ['squareup', 'square payments'],
    topics: ['point of sale', 'card payments', 'orders'],
    risk: 'destructive',
    docs: 'https://developer.squareup.com/docs/mcp',
    readTool: 'get_service_info',
  }),
  remote('webflow', 'Webflow', 'https://mcp.webflow.com/mcp', {
    about: 'Sites and content in Webflow.',
    words: ['webflow sites'],
    topics: ['website builder', 'website design'],
    docs: 'https://developers.webflow.com/mcp/reference/overview',
  }),
  remote('wix', 'Wix', 'https://mcp.wix.com/mcp', {
    about: 'Sites and content in Wix.',
    words: ['wix sites'],
    topics: ['website builder', 'my website'],
    docs: 'https://dev.wix.com/docs/sdk/articles/use-the-wix-mcp/about-the-wix-mcp',
    readTool: 'ListWixSites',
  }),
  remote('amplitude', 'Amplitude', 'https://mcp.amplitude.com/mcp', {
    about: 'Charts and events of product analytics in Amplitude.',
    words: ['product analytics', 'amplitude charts'],
    topics: ['user behavior', 'usage statistics', 'analytics'],
    docs: 'https://amplitude.com/docs/analytics/amplitude-mcp',
    readTool: 'get_context',
  }),
  npm('shopify-dev', 'Shopify Dev', '@shopify/dev-mcp', {
    about: 'Documentation and schemas for building on Shopify.',
    words: ['shopify', 'shopify docs'],
    topics: ['online shop', 'online store', 'web shop', 'ecommerce', 'shopify store'],
    risk: 'read',
    docs: 'https://shopify.dev/docs/apps/build/devmcp',
    readTool: 'learn_shopify_api',
  }),
  remote('hubspot', 'HubSpot', 'https://mcp.hubspot.com', {
    about: 'Contacts, companies, deals and tickets in HubSpot.',
    words: ['hubspot crm', 'hub spot'],
    topics: ['crm', 'customers', 'contacts', 'deals', 'leads', 'sales pipeline', 'marketing'],
    docs: 'https://developers.hubspot.com/mcp',
  }),
  npm('salesforce', 'Salesforce', '@salesforce/mcp', {
    about: 'Records, metadata and users of a Salesforce org, with the sign-in of the Salesforce CLI.',
    words: ['sales force', 'salesforce crm'],
    topics: ['crm', 'opportunities', 'leads', 'sales'],
    args: ['--orgs', 'DEFAULT_TARGET_ORG', '--toolsets', 'orgs,metadata,data,users'],
    risk: 'destructive',
    docs: 'https://github.com/salesforcecli/mcp',
    readTool: 'list_all_orgs',
  }),
  npm('wordpress', 'WordPress', '@automattic/mcp-wordpress-remote', {
    about: 'Posts, pages and settings of a WordPress site that has the plugin MCP Adapter.',
    words: ['wordpress site', 'wordpress blog', 'word press'],
    topics: ['blog', 'my blog', 'blog posts', 'my website', 'website content'],
    inputs: [
      { env: 'WP_API_URL', what: 'Address of the site’s MCP endpoint', kind: 'text' },
      { env: 'WP_API_USERNAME', what: 'User name', kind: 'text' },
      { env: 'WP_API_PASSWORD', what: 'Application password', kind: 'secret' },
    ],
    docs: 'https://github.com/Automattic/mcp-wordpress-remote',
  }),
];
