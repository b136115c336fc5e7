import { npm, oci, openRemote, pypi, remote } from './_featured-entry.ts';
import type { FeaturedServer } from './featured.ts';

/** Facts only. A vendor's remote server is preferred to a package; versions are looked up later. */
export const featuredServers: readonly FeaturedServer[] = [
  // ── Work and documents ─────────────────────────────────────────────────────
  remote('linear', 'Linear', 'https://mcp.linear.app/mcp', {
    words: ['linear issues', 'linear app'],
    docs: 'https://linear.app/docs/mcp',
    readTool: 'list_teams',
  }),
  remote('notion', 'Notion', 'https://mcp.notion.com/mcp', {
    words: ['notion pages', 'notion workspace'],
    docs: 'https://developers.notion.com/docs/mcp',
    readTool: 'notion-get-self',
  }),
  remote('figma', 'Figma', 'https://mcp.figma.com/mcp', {
    words: ['figma design', 'figma files'],
    docs: 'https://developers.figma.com/docs/figma-mcp-server/',
    readTool: 'whoami',
  }),
  remote('slack', 'Slack', 'https://mcp.slack.com/mcp', {
    words: ['slack messages', 'slack channels'],
    docs: 'https://docs.slack.dev/ai/slack-mcp-server/',
    readTool: 'slack_search_channels',
  }),
  remote('atlassian', 'Atlassian', 'https://mcp.atlassian.com/v1/sse', {
    words: ['jira', 'confluence', 'atlassian rovo'],
    docs: 'https://support.atlassian.com/rovo/docs/getting-started-with-the-atlassian-remote-mcp-server/',
    readTool: 'atlassianUserInfo',
  }),
  remote('asana', 'Asana', 'https://mcp.asana.com/sse', {
    words: ['asana tasks'],
    docs: 'https://developers.asana.com/docs/using-asanas-mcp-server',
    readTool: 'asana_list_workspaces',
  }),
  remote('monday', 'monday.com', 'https://mcp.monday.com/mcp', {
    words: ['monday', 'monday boards'],
    docs: 'https://github.com/mondaycom/mcp',
    readTool: 'get_user_context',
  }),
  remote('todoist', 'Todoist', 'https://ai.todoist.net/mcp', {
    words: ['todo list', 'todoist tasks'],
    docs: 'https://github.com/Doist/todoist-ai',
    readTool: 'user-info',
  }),
  remote('intercom', 'Intercom', 'https://mcp.intercom.com/sse', {
    words: ['intercom conversations', 'support tickets'],
    docs: 'https://developers.intercom.com/docs/guides/mcp',
    readTool: 'search_conversations',
  }),
  openRemote('drawio', 'draw.io', 'https://mcp.draw.io/mcp', {
    words: ['draw.io', 'draw io', 'diagrams', 'diagrams.net'],
    docs: 'https://github.com/jgraph/drawio-mcp',
    readTool: 'search_shapes',
  }),
  openRemote('mermaid', 'Mermaid Chart', 'https://mcp.mermaidchart.com/mcp', {
    words: ['mermaid chart', 'mermaid diagrams'],
    docs: 'https://mermaidchart.com',
  }),
  npm('google-calendar', 'Google Calendar', '@cocal/google-calendar-mcp', {
    words: ['gcal', 'calendar', 'google cal'],
    auth: 'key-file',
    inputs: [{ env: 'GOOGLE_OAUTH_CREDENTIALS', what: 'Path of the OAuth client file', kind: 'file' }],
    docs: 'https://github.com/nspady/google-calendar-mcp',
    readTool: 'list-calendars',
  }),
  npm('google-docs', 'Google Docs', '@a-bonus/google-docs-mcp', {
    words: ['gdocs', 'google documents', 'google sheets', 'google drive'],
    auth: 'oauth',
    inputs: [
      { env: 'GOOGLE_CLIENT_ID', what: 'Client id of your Google Cloud project', kind: 'text' },
      { env: 'GOOGLE_CLIENT_SECRET', what: 'Client secret of your Google Cloud project', kind: 'secret' },
    ],
    docs: 'https://github.com/a-bonus/google-docs-mcp',
    readTool: 'listDocuments',
  }),
  pypi('google-keep', 'Google Keep', 'keep-mcp', {
    words: ['gkeep', 'keep notes', 'google notes'],
    inputs: [
      { env: 'GOOGLE_EMAIL', what: 'Address of your Google account', kind: 'text' },
      { env: 'GOOGLE_MASTER_TOKEN', what: 'Master token of your Google account', kind: 'secret' },
    ],
    docs: 'https://github.com/feuerdev/keep-mcp',
    readTool: 'find',
  }),
  npm('airtable', 'Airtable', 'airtable-mcp-server', {
    words: ['airtable bases'],
    inputs: [{ env: 'AIRTABLE_API_KEY', what: 'Personal access token', kind: 'secret' }],
    docs: 'https://github.com/domdomegg/airtable-mcp-server',
    readTool: 'list_bases',
  }),

  // ── Code and operations ────────────────────────────────────────────────────
  remote('github', 'GitHub', 'https://api.githubcopilot.com/mcp/', {
    words: ['gh', 'github issues', 'pull requests', 'github repositories'],
    docs: 'https://github.com/github/github-mcp-server',
    readTool: 'get_me',
  }),
  remote('gitlab', 'GitLab', 'https://gitlab.com/api/v4/mcp', {
    words: ['merge requests'],
    docs: 'https://docs.gitlab.com/user/gitlab_duo/model_context_protocol/mcp_server/',
    readTool: 'get_mcp_server_version',
  }),
  remote('sentry', 'Sentry', 'https://mcp.sentry.dev/mcp', {
    words: ['sentry errors', 'error tracking'],
    docs: 'https://docs.sentry.io/product/sentry-mcp/',
    readTool: 'whoami',
  }),
  remote('vercel', 'Vercel', 'https://mcp.vercel.com', {
    words: ['vercel deployments'],
    docs: 'https://vercel.com/docs/mcp/vercel-mcp',
    readTool: 'list_teams',
  }),
  remote('cloudflare', 'Cloudflare', 'https://bindings.mcp.cloudflare.com/sse', {
    words: ['cloudflare workers', 'cloudflare bindings'],
    docs: 'https://developers.cloudflare.com/agents/model-context-protocol/mcp-servers-for-cloudflare/',
    readTool: 'accounts_list',
  }),
  openRemote('cloudflare-docs', 'Cloudflare Docs', 'https://docs.mcp.cloudflare.com/mcp', {
    words: ['cloudflare documentation'],
    docs: 'https://developers.cloudflare.com/agents/model-context-protocol/mcp-servers-for-cloudflare/',
    readTool: 'search_cloudflare_documentation',
  }),
  remote('supabase', 'Supabase', 'https://mcp.supabase.com/mcp', {
    words: ['supabase database'],
    risk: 'destructive',
    docs: 'https://supabase.com/docs/guides/getting-started/mcp',
    readTool: 'list_projects',
  }),
  remote('neon', 'Neon', 'https://mcp.neon.tech/mcp', {
    words: ['neon postgres', 'neon database'],
    risk: 'destructive',
    docs: 'https://neon.com/docs/ai/neon-mcp-server',
    readTool: 'list_projects',
  }),
  remote('prisma', 'Prisma', 'https://mcp.prisma.io/mcp', {
    words: ['prisma postgres'],
    risk: 'destructive',
    docs: 'https://www.prisma.io/docs/postgres/integrations/mcp-server',
  }),
  npm('mongodb', 'MongoDB', 'mongodb-mcp-server', {
    words: ['mongo', 'mongodb atlas'],
    risk: 'destructive',
    inputs: [{ env: 'MDB_MCP_CONNECTION_STRING', what: 'Connection string', kind: 'secret' }],
    docs: 'https://github.com/mongodb-js/mongodb-mcp-server',
    readTool: 'list-databases',
  }),
  npm('playwright', 'Playwright', '@playwright/mcp', {
    words: ['browser', 'browser automation'],
    docs: 'https://github.com/microsoft/playwright-mcp',
    readTool: 'browser_tabs',
  }),
  npm('chrome-devtools', 'Chrome DevTools', 'chrome-devtools-mcp', {
    words: ['chrome', 'devtools'],
    docs: 'https://github.com/ChromeDevTools/chrome-devtools-mcp',
    readTool: 'list_pages',
  }),
  npm('azure', 'Azure', '@azure/mcp', {
    words: ['microsoft azure'],
    args: ['server', 'start'],
    risk: 'destructive',
    docs: 'https://learn.microsoft.com/azure/developer/azure-mcp-server/',
    readTool: 'subscription_list',
  }),
  oci('grafana', 'Grafana', 'docker.io/grafana/mcp-grafana', {
    words: ['grafana dashboards'],
    args: ['-t', 'stdio'],
    inputs: [
      { env: 'GRAFANA_URL', what: 'Address of your Grafana', kind: 'text' },
      { env: 'GRAFANA_SERVICE_ACCOUNT_TOKEN', what: 'Service account token', kind: 'secret' },
    ],
    docs: 'https://github.com/grafana/mcp-grafana',
    readTool: 'list_datasources',
  }),
  oci('terraform', 'Terraform', 'docker.io/hashicorp/terraform-mcp-server', {
    words: ['hashicorp terraform'],
    risk: 'read',
    docs: 'https://github.com/hashicorp/terraform-mcp-server',
    readTool: 'search_providers',
  }),

  // ── Knowledge and search ───────────────────────────────────────────────────
  openRemote('context7', 'Context7', 'https://mcp.context7.com/mcp', {
    words: ['library docs', 'context 7', 'upstash context7'],
    docs: 'https://github.com/upstash/context7',
    readTool: 'resolve-library-id',
  }),
  openRemote('deepwiki', 'DeepWiki', 'https://mcp.deepwiki.com/mcp', {
    words: ['deep wiki', 'repository wiki'],
    docs: 'https://docs.devin.ai/work-with-devin/deepwiki-mcp',
    readTool: 'read_wiki_structure',
  }),
  openRemote('microsoft-learn', 'Microsoft Learn', 'https://learn.microsoft.com/api/mcp', {
    words: ['microsoft docs', 'ms learn'],
    docs: 'https://learn.microsoft.com/training/support/mcp',
    readTool: 'microsoft_docs_search',
  }),
  openRemote('huggingface', 'Hugging Face', 'https://huggingface.co/mcp', {
    words: ['hugging face', 'hf', 'models and datasets'],
    docs: 'https://huggingface.co/docs/hub/hf-mcp-server',
    readTool: 'hf_whoami',
  }),
  openRemote('exa', 'Exa', 'https://mcp.exa.ai/mcp', {
    words: ['exa search'],
    docs: 'https://docs.exa.ai/reference/exa-mcp',
    readTool: 'web_search_exa',
  }),
  npm('perplexity', 'Perplexity', '@perplexity-ai/mcp-server', {
    words: ['perplexity search', 'sonar'],
    risk: 'read',
    inputs: [{ env: 'PERPLEXITY_API_KEY', what: 'API key', kind: 'secret' }],
    docs: 'https://docs.perplexity.ai/guides/mcp-server',
    readTool: 'perplexity_search',
  }),
  npm('tavily', 'Tavily', 'tavily-mcp', {
    words: ['tavily search'],
    risk: 'read',
    inputs: [{ env: 'TAVILY_API_KEY', what: 'API key', kind: 'secret' }],
    docs: 'https://github.com/tavily-ai/tavily-mcp',
    readTool: 'tavily-search',
  }),
  npm('brave-search', 'Brave Search', '@brave/brave-search-mcp-server', {
    words: ['brave', 'web search'],
    risk: 'read',
    inputs: [{ env: 'BRAVE_API_KEY', what: 'API key', kind: 'secret' }],
    docs: 'https://github.com/brave/brave-search-mcp-server',
    readTool: 'brave_web_search',
  }),
  npm('firecrawl', 'Firecrawl', 'firecrawl-mcp', {
    words: ['web scraping', 'crawl websites'],
    risk: 'read',
    inputs: [{ env: 'FIRECRAWL_API_KEY', what: 'API key', kind: 'secret' }],
    docs: 'https://github.com/firecrawl/firecrawl-mcp-server',
    readTool: 'firecrawl_map',
  }),
  pypi('arxiv', 'arXiv', 'arxiv-mcp-server', {
    words: ['arxiv papers', 'research papers'],
    risk: 'read',
    docs: 'https://github.com/blazickjp/arxiv-mcp-server',
    readTool: 'search_papers',
  }),
  remote('apify', 'Apify', 'https://mcp.apify.com/', {
    words: ['apify actors'],
    docs: 'https://docs.apify.com/platform/integrations/mcp',
    readTool: 'search-actors',
  }),

  // ── Money and customers ────────────────────────────────────────────────────
  remote('stripe', 'Stripe', 'https://mcp.stripe.com', {
    words: ['payments', 'stripe invoices'],
    risk: 'destructive',
    docs: 'https://docs.stripe.com/mcp',
    readTool: 'get_stripe_account_info',
  }),
  remote('paypal', 'PayPal', 'https://mcp.paypal.com/mcp', {
    words: ['paypal invoices'],
    risk: 'destructive',
    docs: 'https://developer.paypal.com/tools/mcp-server/',
    readTool: 'list_invoices',
  }),
  remote('square', 'Square', 'https://mcp.squareup.com/sse', {
    words: ['squareup', 'square payments'],
    risk: 'destructive',
    docs: 'https://developer.squareup.com/docs/mcp',
    readTool: 'get_service_info',
  }),
  remote('webflow', 'Webflow', 'https://mcp.webflow.com/mcp', {
    words: ['webflow sites'],
    docs: 'https://developers.webflow.com/mcp/reference/overview',
  }),
  remote('wix', 'Wix', 'https://mcp.wix.com/mcp', {
    words: ['wix sites'],
    docs: 'https://dev.wix.com/docs/sdk/articles/use-the-wix-mcp/about-the-wix-mcp',
    readTool: 'ListWixSites',
  }),
  remote('amplitude', 'Amplitude', 'https://mcp.amplitude.com/mcp', {
    words: ['product analytics', 'amplitude charts'],
    docs: 'https://amplitude.com/docs/analytics/amplitude-mcp',
    readTool: 'get_context',
  }),
  npm('shopify-dev', 'Shopify Dev', '@shopify/dev-mcp', {
    words: ['shopify', 'shopify docs'],
    risk: 'read',
    docs: 'https://shopify.dev/docs/apps/build/devmcp',
    readTool: 'learn_shopify_api',
  }),

  // ── This machine ───────────────────────────────────────────────────────────
  npm('filesystem', 'Filesystem', '@modelcontextprotocol/server-filesystem', {
    words: ['files', 'file system', 'folders', 'local files'],
    risk: 'destructive',
    inputs: [{ arg: 'folders', what: 'Folders that it may read and write', kind: 'files' }],
    docs: 'https://github.com/modelcontextprotocol/servers/tree/main/src/filesystem',
    readTool: 'list_allowed_directories',
  }),
  npm('memory', 'Memory', '@modelcontextprotocol/server-memory', {
    words: ['knowledge graph', 'remember'],
    docs: 'https://github.com/modelcontextprotocol/servers/tree/main/src/memory',
    readTool: 'read_graph',
  }),
  npm('sequential-thinking', 'Sequential Thinking', '@modelcontextprotocol/server-sequential-thinking', {
    words: ['sequentialthinking', 'thinking', 'step by step thinking'],
    risk: 'read',
    docs: 'https://github.com/modelcontextprotocol/servers/tree/main/src/sequentialthinking',
    readTool: 'sequentialthinking',
  }),
  npm('everything', 'Everything', '@modelcontextprotocol/server-everything', {
    words: ['reference server', 'test server'],
    risk: 'read',
    docs: 'https://github.com/modelcontextprotocol/servers/tree/main/src/everything',
    readTool: 'echo',
  }),
  pypi('fetch', 'Fetch', 'mcp-server-fetch', {
    words: ['web pages', 'fetch urls'],
    risk: 'read',
    docs: 'https://github.com/modelcontextprotocol/servers/tree/main/src/fetch',
    readTool: 'fetch',
  }),
  pypi('git', 'Git', 'mcp-server-git', {
    words: ['git repository', 'local git'],
    docs: 'https://github.com/modelcontextprotocol/servers/tree/main/src/git',
    readTool: 'git_status',
  }),
  pypi('time', 'Time', 'mcp-server-time', {
    words: ['time zones', 'clock'],
    risk: 'read',
    docs: 'https://github.com/modelcontextprotocol/servers/tree/main/src/time',
    readTool: 'get_current_time',
  }),
  pypi('motherduck', 'MotherDuck', 'mcp-server-motherduck', {
    words: ['duckdb', 'mother duck'],
    risk: 'destructive',
    inputs: [{ env: 'motherduck_token', what: 'Token of MotherDuck', kind: 'secret' }],
    docs: 'https://github.com/motherduckdb/mcp-server-motherduck',
  }),
];
