"""What Nemo reaches outside its own process: the web, Gemini, the model process (外部服务)."""
