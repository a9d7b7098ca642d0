<?php
/** Renders the checkout server's answer for the owner. All texts in it are untrusted and are escaped. */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

/** @param bool $is_paid Whether the order is set to paid. */
function tillkit_order_timeline_html( array $answer, bool $is_paid = false ): string {
	$class = true === ( $answer['attention'] ?? false ) ? 'notice notice-warning inline' : 'tillkit-headline';
	$html  = '<div class="' . tillkit_html( $class ) . '"><p><strong>' . tillkit_html( tillkit_text_field( $answer, 'headline' ) ) . '</strong></p></div>';
	$cards    = '';
	$payments = tillkit_list_field( $answer, 'payments' );
	foreach ( $payments as $payment ) {
		$cards .= tillkit_payment_card_html( $payment, $is_paid );
	}
	$html   .= tillkit_section_html( tillkit_text( 'Payments' ), $cards );
	$refunds = '';
	foreach ( tillkit_list_field( $answer, 'refunds' ) as $refund ) {
		$refunds .= tillkit_refund_card_html( $refund, $payments );
	}
	$html   .= tillkit_section_html( tillkit_text( 'Refunds' ), $refunds );
	return $html . tillkit_timeline_html( tillkit_list_field( $answer, 'timeline' ) );
}

function tillkit_warning_html( Tillkit_Error $error ): string {
	return tillkit_notice_html( $error->message );
}

function tillkit_notice_html( string $text ): string {
	return '<div class="notice notice-warning inline alert alert-warning"><p>' . tillkit_html( $text ) . '</p></div>';
}

/** @param string $items Escaped list items. */
function tillkit_section_html( string $title, string $items ): string {
	return '' === $items ? '' : '<h4>' . tillkit_html( $title ) . '</h4><ul>' . $items . '</ul>';
}

/** The date is shown once for each day. */
function tillkit_timeline_html( array $entries ): string {
	$html      = '';
	$shown_day = null;
	foreach ( $entries as $entry ) {
		$at  = is_int( $entry['at'] ?? null ) ? $entry['at'] : null;
		$day = null === $at ? '' : tillkit_host()->time_text( $at, 'date' );
		if ( $day !== $shown_day ) {
			$html     .= ( null === $shown_day ? '' : '</ul>' ) . '<h5>' . tillkit_html( $day ) . '</h5><ul>';
			$shown_day = $day;
		}
		$html .= tillkit_timeline_item_html( null === $at ? '' : tillkit_host()->time_text( $at, 'time' ), $entry );
	}
	return null === $shown_day ? '' : '<h4>' . tillkit_html( tillkit_text( 'Timeline' ) ) . '</h4>' . $html . '</ul>';
}

function tillkit_timeline_item_html( string $time, array $entry ): string {
	$parts = array( $time, tillkit_text_field( $entry, 'actor' ), tillkit_text_field( $entry, 'text' ) );
	return '<li>' . tillkit_html( implode( ' · ', array_filter( $parts, 'strlen' ) ) ) . '</li>';
}

/** Unknown states of a newer checkout server are shown unchanged. */
function tillkit_state_label( string $state ): string {
	$labels = array(
		'intent'     => tillkit_text( 'started' ),
		'open'       => tillkit_text( 'open' ),
		'superseded' => tillkit_text( 'replaced by a newer payment' ),
		'expired'    => tillkit_text( 'expired' ),
		'closed'     => tillkit_text( 'not completed' ),
		'verified'   => tillkit_text( 'paid, not yet recorded on the order' ),
		'recorded'   => tillkit_text( 'paid' ),
		'review'     => tillkit_text( 'paid, under review' ),
		'duplicate'  => tillkit_text( 'duplicate payment, refund it' ),
		'refunding'  => tillkit_text( 'refund in progress' ),
		'refunded'   => tillkit_text( 'refunded' ),
		'completed'  => tillkit_text( 'refunded' ),
		'pending'    => tillkit_text( 'in progress' ),
		'unknown'    => tillkit_text( 'sent, not yet confirmed' ),
		'failed'     => tillkit_text( 'failed' ),
	);
	return $labels[ $state ] ?? $state;
}

/** The amount of an answer as people write it. */
function tillkit_amount_text( array $row ): string {
	return isset( $row['amount'] ) && is_array( $row['amount'] ) ? tillkit_text_field( $row['amount'], 'text' ) : '';
}
