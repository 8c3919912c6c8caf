<?php
define('DB_NAME', 'wordpress');
define('DB_USER', 'x');
define('DB_PASSWORD', 'x');
define('DB_HOST', 'x');
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
define('DB_DIR', __DIR__ . '/../db');
define('DB_FILE', 'wp.sqlite');
define('WP_HOME', 'SITE_URL');
define('WP_SITEURL', 'SITE_URL');
// Application passwords without https.
define('WP_ENVIRONMENT_TYPE', 'local');
define('DISABLE_WP_CRON', true);
define('AUTOMATIC_UPDATER_DISABLED', true);
foreach (['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'] as $name) {
	define($name . '_KEY', 'test-key-' . $name);
	define($name . '_SALT', 'test-salt-' . $name);
}
$table_prefix = 'wp_';
if (!defined('ABSPATH')) {
	define('ABSPATH', __DIR__ . '/');
}
require_once ABSPATH . 'wp-settings.php';
