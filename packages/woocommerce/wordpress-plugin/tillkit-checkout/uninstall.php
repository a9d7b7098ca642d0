<?php
/** Removes what the plugin kept for itself. What it wrote on orders stays: it is part of the shop's books. */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

$tillkit_forget_shop = static function (): void {
	global $wpdb;
	delete_option( 'woocommerce_tillkit_settings' );
	delete_option( 'tillkit_link_secrets' );
	foreach ( array( 'tillkit_lock_', '_transient_tillkit_wait_', '_transient_timeout_tillkit_wait_' ) as $beginning ) {
		$wpdb->query( $wpdb->prepare( "DELETE FROM {$wpdb->options} WHERE option_name LIKE %s", $wpdb->esc_like( $beginning ) . '%' ) );
	}
};

if ( ! is_multisite() ) {
	$tillkit_forget_shop();
	return;
}
$tillkit_sites = get_sites(
	array(
		'fields' => 'ids',
		'number' => 0,
	)
);
foreach ( $tillkit_sites as $tillkit_site ) {
	switch_to_blog( (int) $tillkit_site );
	$tillkit_forget_shop();
	restore_current_blog();
}
