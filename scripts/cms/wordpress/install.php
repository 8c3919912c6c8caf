<?php
// Installs the site, its users and our plugin; prints the secrets the tests use.
$_SERVER['HTTP_HOST'] = $argv[1];
$_SERVER['REQUEST_URI'] = '/';
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
define('WP_INSTALLING', true);
require __DIR__ . '/site/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
require_once ABSPATH . 'wp-admin/includes/plugin.php';
wp_install('Test WP', 'admin', 'admin@example.test', false, '', 'AdminPass123!');
global $wp_rewrite;
$wp_rewrite->set_permalink_structure('/%postname%/');
$wp_rewrite->flush_rules();
foreach (['author', 'contributor', 'subscriber'] as $role) {
	wp_insert_user(['user_login' => $role, 'user_pass' => 'Pass-' . $role . '-123', 'user_email' => $role . '@example.test', 'role' => $role, 'display_name' => ucfirst($role) . ' Person']);
}
foreach (['admin', 'author', 'contributor', 'subscriber'] as $login) {
	[$password] = WP_Application_Passwords::create_new_application_password(get_user_by('login', $login)->ID, ['name' => 'test']);
	echo 'WORDPRESS_PASSWORD_' . strtoupper($login) . '=' . $password . "\n";
}
$failed = activate_plugin('galley/galley.php');
if (is_wp_error($failed)) {
	fwrite(STDERR, $failed->get_error_message() . "\n");
	exit(1);
}
echo 'WORDPRESS_PLUGIN_KEY=' . Galley_Key::renew() . "\n";
