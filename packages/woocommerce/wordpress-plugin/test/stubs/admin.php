<?php
final class WP_Post {
	public $ID;

	public function __construct( int $id ) {
		$this->ID = $id;
	}
}

function current_user_can( string $capability ): bool {
	return in_array( $capability, Stubs::$capabilities, true );
}

function get_current_user_id(): int {
	return 7;
}

/** The request ends where the plugin leads the browser elsewhere. */
function wp_redirect( string $url, int $status ): void {
	throw new Request_Ended( $status, $url );
}

function wp_safe_redirect( string $url, int $status ): void {
	throw new Request_Ended( $status, $url );
}

function wp_doing_ajax(): bool {
	return false;
}

function is_admin(): bool {
	return Stubs::$is_admin;
}

function wp_get_current_user() {
	return (object) array(
		'ID'         => 7,
		'user_login' => 'awa@shop.example',
		'roles'      => array( 'shop_manager' ),
	);
}

function wp_create_nonce( string $action ): string {
	return "nonce-of-$action";
}

function check_ajax_referer( string $action, string $field ): void {
	if ( ( $_POST[ $field ] ?? '' ) !== wp_create_nonce( $action ) ) {
		throw new Request_Ended( 403, '-1' );
	}
}

function wp_die( string $text, string $title, array $options ): void {
	throw new Request_Ended( $options['response'], $text );
}

function wp_send_json( $body, int $status ): void {
	throw new Request_Ended( $status, $body );
}

function nocache_headers(): void {}

function wp_enqueue_script( string $name, string $url, array $needs, string $version, bool $footer ): void {
	Stubs::$scripts[] = $name;
}

function wp_register_script( string $name, string $url, array $needs, string $version, bool $footer ): void {
	Stubs::$scripts[] = $name;
}

function wp_enqueue_style( string $name, string $url, array $needs, string $version ): void {
	Stubs::$styles[] = $name;
}

function wp_style_is( string $name ): bool {
	return in_array( $name, Stubs::$styles, true );
}

function add_meta_box( string $id, string $title, callable $show, string $screen, string $context, string $priority ): void {
	Stubs::$boxes[] = compact( 'id', 'title', 'show', 'screen', 'context', 'priority' );
}

function add_submenu_page( string $parent, string $title, string $menu_title, string $capability, string $slug ): void {
	Stubs::$menu[ $slug ] = $menu_title;
}

/** True if the test has set sites. Each site has its own options; site 1 is the current one. */
function is_multisite(): bool {
	return array() !== Stubs::$sites;
}

function get_sites( array $query ): array {
	return 'ids' === $query['fields'] ? Stubs::$sites : array();
}

function switch_to_blog( int $site ): void {
	Stubs::$site = $site;
}

function restore_current_blog(): void {
	Stubs::$site = 1;
}

/** Orders that are stored as posts. */
function get_posts( array $query ): array {
	return Stubs::$hpos || 'shop_order' !== $query['post_type'] ? array() : array_column( orders_by_query( $query, $query['post_status'] ), 'id' );
}

function check_admin_referer( string $action ): void {
	if ( ( $_GET['_wpnonce'] ?? '' ) !== wp_create_nonce( $action ) ) {
		throw new Request_Ended( 403, '-1' );
	}
}

function wp_nonce_url( string $url, string $action ): string {
	return "$url&_wpnonce=" . wp_create_nonce( $action );
}

function home_url(): string {
	return 'https://shop.example';
}
