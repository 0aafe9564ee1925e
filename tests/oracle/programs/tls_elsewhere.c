__thread int tls_elsewhere = 5;
