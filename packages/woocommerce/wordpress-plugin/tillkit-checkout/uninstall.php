<?php
/** Removes the options of the plugin. The order meta stays, because the shop's bookkeeping needs it. */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

$tillkit_remove_data = static function (): void {
	global $wpdb;
	delete_option( 'woocommerce_tillkit_settings' );
	delete_option( 'tillkit_link_secrets' );
	delete_option( 'tillkit_environment' );
	delete_option( 'tillkit_pairing' );
	delete_option( 'tillkit_copy_of' );
	delete_option( 'woocommerce_tillkit_decision_settings' );
	delete_transient( 'tillkit_waiting_orders' );
	foreach ( array( 'tillkit_lock_', '_transient_tillkit_', '_transient_timeout_tillkit_' ) as $prefix ) {
		$wpdb->query( $wpdb->prepare( "DELETE FROM {$wpdb->options} WHERE option_name LIKE %s", $wpdb->esc_like( $prefix ) . '%' ) );
	}
};

if ( ! is_multisite() ) {
	$tillkit_remove_data();
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
	$tillkit_remove_data();
	restore_current_blog();
}
