"""What a person does with a crawl in a browser: the dashboard, judging, maps, the portal, news, companies, the agent."""
